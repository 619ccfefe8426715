// Tables sorted by a column, at a click on its head.
import { el } from "./dom.js";

/** Numbers as such, also in texts; other texts as they are. */
export function parseNumber(value) {
  if (typeof value !== "string" || value.trim() === "") return value;
  const read = Number(value);
  return Number.isNaN(read) ? value : read;
}

/** Heads of a finished table become buttons that sort its rows. */
export function sortable(element) {
  const heads = [...element.querySelectorAll("thead th")];
  const body = element.querySelector("tbody");
  const key = (row, k) => {
    const text = row.cells[k].textContent.replace("−", "-").replace(/^[≥≤] /, "");
    return parseNumber(/^-?[\d.]/.test(text) ? text.split(/[ ,(]/)[0] : text);
  };
  heads.forEach((head, k) => {
    const name = head.textContent;
    head.setAttribute("aria-sort", "none");
    head.replaceChildren(el("button.sort", {
      type: "button", title: `Sort by ${name}`,
      onclick: () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.setAttribute("aria-sort", "none"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...body.rows].sort((a, b) => {
          const [x, y] = [key(a, k), key(b, k)];
          const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), undefined,
            { numeric: true });
          return down ? -order : order;
        });
        body.append(...rows);
      },
    }, name));
  });
  return element;
}
