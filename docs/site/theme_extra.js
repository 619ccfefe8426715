// What the theme's own file of this name does, which is missing in Debian's package, and a little more.
$("div.rst-content table").addClass("docutils");

// Numbers and words stay on one line; sentences wrap.
$("div.rst-content td").filter(function () { return $(this).text().length < 24; }).addClass("short");

// Headings of the menu lead to their first page. The theme takes links to "#" for the current page.
$('.wy-menu-vertical a[href="#"]').each(function () {
  $(this).attr("href", $(this).siblings("ul").find("a").first().attr("href"));
});
