// The column of diagrams: which there are at first, their common range of time, the list of channels.
import { button, el, icons } from "./dom.js";
import { TimePlot } from "./timeplot.js";

/** Largest minus smallest of the finite values. */
function spread(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high > low ? high - low : 0;
}

/** Names of lengths by owner, "crank" of "crank.x". */
function lengthsByOwner(table, names) {
  const owners = new Map();
  for (const name of names) {
    if (table.unit(name) !== "m") continue;
    const owner = name.split(".")[0];
    owners.set(owner, [...(owners.get(owner) ?? []), name]);
  }
  return owners;
}

/** Channels worth seeing first, a list per diagram: [names, logarithmic]. `coordinates`: of a problem without bodies.
 *  Of a killed run, which declares nothing, it shows what the scene knows, or columns that no component owns. */
export function firstDiagrams(table, scene, coordinates) {
  const names = table.names.filter((name) => name !== "t");
  const present = (list) => list.filter((name) => table.has(name));
  const varies = (name) => spread(table.column(name)) > 1e-9 * Math.max(1, Math.abs(table.column(name)[0]));
  const diagrams = [];
  const add = (list, log = false) => list.length > 0 && diagrams.push([list, log]);
  const parts = scene === undefined ? [] : [...scene.points, ...scene.bodies.slice().sort((a, b) => b.mass - a.mass)];
  const owners = new Set(parts.map((part) => part.name));
  const ofElements = names.filter((name) => name.includes(".") && !owners.has(name.split(".")[0]));

  add(ofElements.filter((name) => ["rad", "m"].includes(table.unit(name))).filter(varies).slice(0, 4));
  const lengths = lengthsByOwner(table, names);
  const axes = (scene?.coordinates ?? []).filter(([, unit]) => unit === "m").map(([axis]) => axis);
  const ownerless = () => names.filter((name) => !name.includes(".") && name !== "step");
  const places = scene === undefined ? (coordinates === undefined ? ownerless() : present(Object.keys(coordinates)))
    : parts.flatMap((part) => lengths.get(part.name) ?? present(axes.map((axis) => `${part.name}.${axis}`))).slice(0, 60);
  let moving = places.filter((name) => spread(table.column(name)) > 1e-6 * (scene?.size ?? 0)).slice(0, 4);
  if (scene !== undefined) moving = moving.filter((name) => name.split(".")[0] === moving[0].split(".")[0]);
  const widest = Math.max(...moving.map((name) => spread(table.column(name))));
  const wide = (name) => spread(table.column(name)) > 0.08 * widest;
  add(moving.filter(wide));
  add(moving.filter((name) => !wide(name)));
  add(names.filter((name) => table.unit(name) === "N").filter(varies).slice(0, 3));
  const energies = present(["energy.kinetic", "energy.potential", "energy.total"]);
  add([...energies, ...present(["energy.dissipated", "energy.work"]).filter(varies)]);
  add(present(["constraint.position", "constraint.velocity"]), true);
  const steps = present(["step"]);
  const sizes = steps.length > 0 ? table.column("step").filter((h) => h > 0).sort() : [];
  add(steps, sizes.length > 0 && sizes[sizes.length - 1] > 20 * sizes[0]);
  add(present(["order"]));
  return diagrams.length > 0 ? diagrams : [[names.slice(0, 3), false]];
}

/** When the page had its turn; `frame`: and was drawn, if it is visible at all. */
function nextTask(frame = false) {
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
  if (!frame || document.hidden) return turn();
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
}

export class Plots {
  /** `content`: of the page; `summary.verification` is there if the run was verified. */
  constructor(table, clock, { scene, model, summary }) {
    this.errors = new Map((summary?.verification?.channels ?? []).map((channel) => [channel.name, channel.estimated_error]));
    this.table = table;
    this.clock = clock;
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
    this.scene = scene;
    this.coordinates = model?.coordinates;
  }

  /** Once the element is in the page: diagrams measure themselves. The mechanism is to be seen first: which diagrams there
   *  are is found out after its first frame, and they are drawn one after the other, the page answering between them.
   *  `ready` resolves when all are there. */
  start() {
    this.clock.listen(() => this.plots.forEach((plot) => plot.moveCursor()));
    this.ready = nextTask(true).then(async () => {
      for (const [names, log] of firstDiagrams(this.table, this.scene, this.coordinates)) {
        this.append(new TimePlot(this, names, log));
        await nextTask();
      }
    });
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
