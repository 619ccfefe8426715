// The table of a study's cases: sorted by any column, the best case marked, every row a way to its case.
import { el, select } from "./dom.js";
import { number } from "./format.js";
import { parseNumber } from "./sorting.js";

/** Rows of a table that stands in the page as a whole; longer ones scroll in a frame. */
const whole = 100;

export class CaseTable {
  /** `columns`: metrics that the study shows; `digits`: of them; `best`: name of the case that the study calls so. */
  constructor(cases, { columns = [], digits = 5, best = null }) {
    this.cases = cases;
    this.called = best === null ? null : cases.cases.find(({ name }) => name === best) ?? null;
    this.digits = digits;
    const settings = cases.varied;
    const named = cases.cases.every(({ name }) => name.includes("=") || name === "base");
    this.columns = [
      { title: "case", text: (one, i) => (named && settings.length > 0 ? String(i + 1) : one.name), link: true },
      ...settings.map((path) => ({ title: cases.spoken(path), path, value: (one) => one.settings[path] })),
      { title: "status", value: (one) => one.status ?? "" },
      ...columns.map((name) => ({ title: cases.titled(name), metric: name, value: (one) => one.numbers[name] })),
    ];
    this.sorted = { column: null, down: false };
    this.marker = this.chooser();
    this.body = el("tbody", {});
    this.heads = this.columns.map((column, k) => el(column.metric || this.isNumber(column) ? "th.number" : "th",
      { scope: "col", "aria-sort": "none" },
      el("button.sort", { type: "button", title: `Sort by ${column.title}`, onclick: () => this.sort(k) }, column.title)));
    const long = cases.cases.length > whole;
    this.element = el("div", {}, this.marker, long ? el("p.hint", {}, `${cases.cases.length} rows; the table scrolls.`) : null,
      el(long ? "div.scroll" : "div.scroll.whole", { tabindex: 0, role: "region", "aria-label": "Cases" }, el("table", {}, el("thead", {}, el("tr", {}, this.heads)), this.body)));
    this.fill();
  }

  isNumber({ path }) {
    return path !== undefined && this.cases.cases.every((one) => typeof one.settings[path] === "number");
  }

  chooser() {
    const { judged } = this.cases;
    if (judged.length === 0) return null;
    this.by = select("Best by",
      [...(this.called === null ? [] : [["=", "what the study says"]]), ...judged.flatMap((name) => [[`- ${name}`, `smallest ${name}`], [`+ ${name}`, `largest ${name}`]]), ["", "no case"]],
      () => this.fill());
    this.by.control.id = "best-by";
    return el("div.choices", {}, this.by.label, (this.verdict = el("span", { role: "status", id: "best-case" })));
  }

  get best() {
    const chosen = this.by?.control.value ?? "";
    if (chosen === "=") return this.called;
    return chosen === "" ? null : this.cases.best(chosen.slice(2), chosen[0] === "+");
  }

  sort(k) {
    const { sorted } = this;
    this.sorted = { column: k, down: sorted.column === k ? !sorted.down : false };
    this.fill();
  }

  /** Failed cases and empty cells come last, whichever way. */
  order() {
    const list = this.cases.cases.map((one, i) => [one, i]);
    const { column, down } = this.sorted;
    if (column === null) return list;
    const of = this.columns[column];
    const key = ([one, i]) => (of.link ? i : parseNumber(of.value(one)));
    return list.sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      const empty = (value) => value === undefined || value === "" || Number.isNaN(value);
      if (empty(x) || empty(y)) return Number(empty(x)) - Number(empty(y));
      const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), undefined,
        { numeric: true });
      return down ? -order : order;
    });
  }

  fill() {
    const { best } = this;
    this.heads.forEach((head, k) => head.setAttribute("aria-sort", this.sorted.column !== k ? "none" : this.sorted.down
      ? "descending" : "ascending"));
    this.body.replaceChildren(...this.order().map(([one, i]) => {
      const state = one.status === "failed" ? "failed" : one === best ? "best" : "";
      return el("tr", { class: state || null, id: `case-${i + 1}` }, this.columns.map((column) => this.cell(column, one, i,
        one === best)));
    }));
    if (this.verdict) this.verdict.textContent = best === null ? "" : `★ ${this.spokenName(best)}`;
  }

  /** "k = 12000, c = 800" of a case that is named by its settings, behind the name of one that is named by its number. */
  spokenName({ name, settings }) {
    const { varied } = this.cases;
    if (!name.includes("=") || varied.length === 0) return name;
    const shown = (value) => (typeof value === "number" ? number(value, 6) : value ?? "–");
    const spoken = varied.map((path) => `${this.cases.spoken(path)} = ${shown(settings[path])}`).join(", ");
    return varied.every((path) => name.includes(`${path}=`)) ? spoken : `${name}: ${spoken}`;
  }

  cell(column, one, i, isBest) {
    if (column.link) {
      const where = one.one.report ?? (one.one.folder ? `${one.one.folder}/` : null);
      const title = one.one.report ? `Report of ${one.name}`
        : `Results of ${one.name}; 'trammel report ${one.one.folder ?? "FOLDER"}' writes its page`;
      const text = column.text(one, i);
      return el("td", {}, isBest ? "★ " : "", where === null ? text
        : el("a", { href: encodeURI(where), title, "aria-label": `${text}: ${title}` }, text));
    }
    const value = column.value(one);
    const shown = typeof value === "number" ? number(value, column.metric ? this.digits : 6) : value === undefined ? "–"
      : String(value);
    return el(typeof value === "number" || column.metric ? "td.number" : "td", {}, shown);
  }
}
