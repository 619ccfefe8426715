// Pages: what a text of a user may be, it stays a text.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "report/report.h"
#include "trammel/error.h"

namespace trammel {
namespace {

bool has_viewer() { return std::filesystem::exists(report_folder() / "report.js"); }

TEST_CASE("entities") { CHECK(html_escaped("<b title=\"x\">&</b>") == "&lt;b title=&quot;x&quot;&gt;&amp;&lt;/b&gt;"); }

TEST_CASE("no text ends its element") {
  if (!has_viewer()) return;
  const std::string evil = "</script><!--<script>alert(1)</script>";
  const Page page{evil, {{"kind", "run"}, {evil, evil}}, {{"data", "AAAA"}}};
  const std::string html = page_html(page);
  CHECK(html.find("<script>alert") == std::string::npos);
  CHECK(html.find("<!--") == std::string::npos);
  const std::string open = "id=\"content\">";
  const std::size_t begin = html.find(open) + open.size();
  const ReportJson content = ReportJson::parse(html.substr(begin, html.find("</script>", begin) - begin));
  CHECK(content[evil] == evil);
}

TEST_CASE("a folder without results is an input error") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "trammel_report_page_test";
  std::filesystem::create_directories(folder);
  try {
    run_page(folder);
    FAIL("made a page of nothing");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
  }
  std::ofstream(folder / "results.csv") << "t,a.x,a.y,a.phi\n0,1,2,3\n1,2,3,4\n";
  const Page page = run_page(folder);
  CHECK(page.title == "trammel_report_page_test");
  CHECK(page.content["summary"].is_null());
  CHECK(page.content["scene"]["planar"] == true);
  CHECK(page.content["missing"].empty());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace trammel
