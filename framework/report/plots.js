// The column of diagrams: which there are at first, their common range of time, the list of channels.
import { button, el, icons } from "./dom.js";
import { TimePlot } from "./timeplot.js";

/** Channels worth seeing first, a list per diagram: [names, logarithmic]. */
export function firstDiagrams(table, scene) {
  const names = table.names.filter((name) => name !== "t");
  const present = (list) => list.filter((name) => table.has(name));
  const varies = (name) => {
    const values = table.column(name);
    return values.some((value) => Math.abs(value - values[0]) > 1e-9 * Math.max(1, Math.abs(values[0])));
  };
  const diagrams = [];
  const add = (list, log = false) => list.length > 0 && diagrams.push([list, log]);
  const ending = (...suffixes) => names.filter((name) => suffixes.some((suffix) => name.endsWith(suffix)));

  add(ending(".angle", ".displacement").filter(varies).slice(0, 4));
  const places = scene === undefined ? names.filter((name) => !name.includes(".") && !["step", "order", "local_error"].includes(name))
    : [...scene.points, ...scene.bodies].flatMap((part) => present([`${part.name}.x`, `${part.name}.y`, `${part.name}.z`])).slice(0, 60);
  const moving = places.filter(varies);
  add(moving.slice(0, scene === undefined ? 4 : 3));
  add(names.filter((name) => /\.force(\.[xyz])?$/.test(name)).filter(varies).slice(0, 3));
  const energies = present(["energy.kinetic", "energy.potential", "energy.total"]);
  add([...energies, ...present(["energy.dissipated", "energy.work"]).filter(varies)]);
  add(present(["constraint.position", "constraint.velocity"]), true);
  const steps = present(["step"]);
  const spread = steps.length > 0 ? table.column("step").filter((h) => h > 0).sort() : [];
  add(steps, spread.length > 0 && spread[spread.length - 1] > 20 * spread[0]);
  add(present(["order"]));
  return diagrams.length > 0 ? diagrams : [[names.slice(0, 3), false]];
}

export class Plots {
  constructor(table, clock, scene) {
    this.table = table;
    this.clock = clock;
    this.names = new Set(table.names);
    this.channels = el("datalist", { id: "channels" });
    this.list = el("div.plot-list");
    this.plots = [];
    const times = table.column("t");
    this.whole = [times[0], times[times.length - 1]];
    [this.from, this.to] = this.whole;
    this.element = el("section.card.plots", { "aria-label": "Diagrams" },
      el("div.card-head", {}, el("h2", {}, "Channels"),
        el("div.tools", { role: "toolbar", "aria-label": "Zoom in time" },
          button("Zoom in", icons.plus, () => this.scale(0.5)), button("Zoom out", icons.minus, () => this.scale(2)),
          button("Whole time", icons.reset, () => this.zoomOut()),
          el("button.text", { type: "button", onclick: () => this.addPlot() }, "New diagram"))),
      el("p.hint", {}, "Click: the animation goes there. Drag: zoom. Double click: everything."),
      this.list, this.channels);
    this.first = firstDiagrams(table, scene);
  }

  /** Once the element is in the page: diagrams measure themselves. */
  start() {
    for (const [names, log] of this.first) this.append(new TimePlot(this, names, log));
    this.clock.listen(() => this.plots.forEach((plot) => plot.moveCursor()));
  }

  append(plot) {
    this.plots.push(plot);
    this.list.append(plot.element);
    plot.start();
  }

  addPlot() {
    const plot = new TimePlot(this, [], false);
    this.append(plot);
    plot.input.focus();
  }

  remove(plot) {
    this.plots = this.plots.filter((other) => other !== plot);
    plot.chart.destroy();
    plot.element.remove();
  }

  zoom(from, to) {
    const least = (this.whole[1] - this.whole[0]) * 1e-7;
    if (!(to - from > least)) return;
    this.from = Math.max(this.whole[0], from);
    this.to = Math.min(this.whole[1], to);
    this.plots.forEach((plot) => plot.refresh());
  }

  /** Range times `factor` about `at`, or about the cursor where that is visible, else the middle. */
  scale(factor, at) {
    const cursor = this.clock.t >= this.from && this.clock.t <= this.to ? this.clock.t : (this.from + this.to) / 2;
    const center = at ?? cursor;
    this.zoom(center - (center - this.from) * factor, center + (this.to - center) * factor);
  }

  zoomOut() {
    this.zoom(...this.whole);
  }

  /** All names, only once somebody wants to choose. */
  fillChannelList() {
    if (this.channels.childElementCount > 0) return;
    this.channels.append(...this.table.names.filter((name) => name !== "t").map((name) => el("option", { value: name })));
  }
}
