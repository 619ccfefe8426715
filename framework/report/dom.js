// Elements without markup: texts of users become text nodes, never HTML.

/** el("p.note", {title: "..."}, child, ...): attributes starting with "on" are listeners; null children are left out. */
export function el(selector, attributes = {}, ...children) {
  const [tag, ...classes] = selector.split(".");
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined) continue;
    element.append(child);
  }
  return element;
}

/** A picture for a button, from one SVG path on a 16 by 16 grid. */
export function icon(path) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(space, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

export const icons = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z",
  back: "M3 2.5h2v11H3zM13 2.5v11L6 8z",
  forward: "M11 2.5h2v11h-2zM3 2.5v11L10 8z",
  plus: "M7 3h2v4h4v2H9v4H7V9H3V7h4z",
  minus: "M3 7h10v2H3z",
  reset: "M8 3a5 5 0 1 1-4.6 3h1.7A3.5 3.5 0 1 0 8 4.5V7L4.5 3.8 8 .6z",
  close: "M4.2 3 8 6.8 11.8 3 13 4.2 9.2 8l3.8 3.8-1.2 1.2L8 9.2 4.2 13 3 11.8 6.8 8 3 4.2z",
};

export function button(label, path, onclick, attributes = {}) {
  return el("button", { type: "button", "aria-label": label, title: label, onclick, ...attributes }, icon(path));
}

/** A button that opens a short list of actions [text, action]; closes after one, at Escape, and when the focus leaves it. */
export function menu(text, label, actions) {
  const list = el("div.menu-list", {}, actions.map(([name, action]) => el("button.text", {
    type: "button",
    onclick: () => {
      details.open = false;
      details.querySelector("summary").focus();
      action();
    },
  }, name)));
  const details = el("details.menu", {
    onkeydown: (event) => {
      if (event.key !== "Escape" || !details.open) return;
      details.open = false;
      details.querySelector("summary").focus();
    },
    onfocusout: (event) => {
      if (!details.contains(event.relatedTarget)) details.open = false;
    },
  }, el("summary", { "aria-label": label, title: label }, text), list);
  return details;
}

/** A labelled select; `options`: [value, text] or {group, options}. */
export function select(label, options, onchange) {
  const make = (option) =>
    option.group === undefined
      ? el("option", { value: option[0] }, option[1])
      : el("optgroup", { label: option.group }, option.options.map(make));
  const control = el("select", { onchange: () => onchange(control.value) }, options.map(make));
  return { control, label: el("label.field", {}, el("span", {}, label), control) };
}

/** A table from rows of texts; numbers are set right-aligned. */
export function table(header, rows, attributes = {}) {
  const numeric = (value) => !(value instanceof Node) && value !== "" && !Number.isNaN(Number(String(value).replace("−", "-")));
  const column = (header ?? []).map((_, i) => rows.some((row) => numeric(row[i])) && rows.every((row) => numeric(row[i])
    || row[i] === "" || row[i] === "–"));
  const cell = (tag, value, i) => {
    if (value instanceof Node) return el(tag, {}, value);
    return el(column[i] || (header === null && numeric(value)) ? `${tag}.number` : tag, {}, String(value));
  };
  return el("div.scroll", { tabindex: 0, role: "region", "aria-label": attributes.label },
    el("table", {},
      header === null ? null : el("thead", {}, el("tr", {}, header.map((name, i) => el(column[i] ? "th.number" : "th",
        { scope: "col" }, name)))),
      el("tbody", {}, rows.map((row) => el("tr", { class: row.state }, row.map((value, i) => cell("td", value, i)))))));
}

export function card(title, ...children) {
  return el("section.card", {}, title === null ? null : el("h2", {}, title), ...children);
}
