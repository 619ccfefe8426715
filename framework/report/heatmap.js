// A number of the cases over two settings, as a table of coloured cells.
import { card, el, select } from "./dom.js";
import { number } from "./format.js";

/** From dark blue (small) over white-green to yellow (large), readable for the colour-blind; {background, ink}. */
function shade(s) {
  const stops = [[49, 74, 140], [45, 130, 142], [108, 190, 110], [250, 225, 90]];
  const at = Math.min(0.999, Math.max(0, s)) * (stops.length - 1);
  const k = Math.floor(at);
  const rgb = stops[k].map((value, i) => Math.round(value + (at - k) * (stops[k + 1][i] - value)));
  return { background: `rgb(${rgb.join(",")})`, ink: s < 0.55 ? "#ffffff" : "#1d252d" };
}

export class HeatMap {
  constructor(cases) {
    this.cases = cases;
    const { gridded, judged } = cases;
    const pick = (label, list, value) => {
      const made = select(label, list.map((name) => [name, cases.spoken(name)]), () => this.fill());
      made.control.value = value;
      return made;
    };
    this.x = pick("Across", gridded, gridded[0]);
    this.y = pick("Down", gridded, gridded[1]);
    this.of = pick("Number", judged, judged[0]);
    this.place = el("div.scroll", { tabindex: 0, role: "region", "aria-label": "Heat map" });
    this.note = el("p.hint", {});
    this.element = card("Heat map", el("div.choices", {}, this.of.label, this.x.label, this.y.label), this.place, this.note);
    this.fill();
  }

  static fits({ gridded, judged }) {
    return gridded.length >= 2 && judged.length > 0;
  }

  /** Where further settings vary as well, the smallest absolute value over them. */
  fill() {
    const [x, y, of] = [this.x, this.y, this.of].map(({ control }) => control.value);
    const { cases } = this.cases;
    const values = (path) => [...new Set(cases.map((one) => one.settings[path]).filter(Number.isFinite))].sort((a, b) => a - b);
    const [xs, ys] = [values(x), values(y)];
    const cell = (a, b) => cases.filter((one) => one.settings[x] === a && one.settings[y] === b
      && Number.isFinite(one.numbers[of]))
      .reduce((best, one) => (best === null || Math.abs(one.numbers[of]) < Math.abs(best.numbers[of]) ? one : best), null);
    const grid = ys.map((b) => xs.map((a) => cell(a, b)));
    const numbers = grid.flat().filter(Boolean).map((one) => one.numbers[of]);
    const log = Math.min(...numbers) > 0 && Math.max(...numbers) > 30 * Math.min(...numbers);
    const level = (value) => (log ? Math.log(value) : value);
    const [low, high] = [level(Math.min(...numbers)), level(Math.max(...numbers))];
    const smallest = numbers.reduce((best, value) => (Math.abs(value) < Math.abs(best) ? value : best), Infinity);
    this.place.replaceChildren(el("table.heat", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, `${this.cases.spoken(y)} \\ ${this.cases.spoken(x)}`),
      xs.map((a) => el("th.number", { scope: "col" }, number(a, 4))))),
        el("tbody", {}, ys.map((b, i) => el("tr", {}, el("th.number", { scope: "row" }, number(b, 4)),
      xs.map((a, k) => this.cell(grid[i][k], of, (value) => (high > low ? (level(value) - low) / (high - low) : 0),
        smallest)))))));
    this.note.textContent = `Colours from the smallest to the largest ${this.cases.titled(of)}${log ? ", logarithmic" : ""}; ★ is the smallest absolute value.` +
      (this.cases.numeric.length > 2 ? " Where other settings vary as well, a cell has the best case of them." : "");
  }

  cell(one, of, level, smallest) {
    if (one === null) return el("td.number", {}, "–");
    const { background, ink } = shade(level(one.numbers[of]));
    const place = one.one.report ?? (one.one.folder ? `${one.one.folder}/` : null);
    const text = `${one.numbers[of] === smallest ? "★ " : ""}${number(one.numbers[of], 4)}`;
    return el("td.number", { style: `background:${background};color:${ink}`, title: one.name },
      place === null ? text : el("a", { href: encodeURI(place), style: `color:${ink}` }, text));
  }
}
