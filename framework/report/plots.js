// The diagrams of a run: their common range of time, the list of channels, overlaid tables.
import { Channels } from "./channels.js";
import { button, el, icons } from "./dom.js";
import { firstDiagrams } from "./firstdiagrams.js";
import { OverlayBar } from "./overlays.js";
import { TimePlot } from "./timeplot.js";

/** Rows times columns up to which all diagrams are drawn before the page counts as loaded. */
const light = 3e6;

const nextTask = () => new Promise((resolve) => setTimeout(resolve, 0));

export class Plots {
  /** `content`: of the page; `summary.verification` is there if the run was verified. `arranged`: diagrams of the address. */
  constructor(table, clock, content, arranged) {
    const { scene, model, summary, report } = content;
    this.errors = new Map((summary?.verification?.channels ?? []).map((channel) => [channel.name, channel.estimated_error]));
    this.table = table;
    this.clock = clock;
    this.channels = new Channels(table, report?.labels, arranged?.degrees ?? report?.degrees ?? false);
    this.overlayBar = new OverlayBar(this, content.overlays ?? []);
    const first = firstDiagrams(table, scene, model?.coordinates, content.requested, arranged?.diagrams ?? report?.diagrams);
    this.first = arranged?.diagrams === undefined ? first.main : first.main.filter(() => arranged.diagrams.length > 0);
    this.numerics = first.numerics;
    this.list = el("div.plot-list");
    this.numericList = el("div.plot-list");
    this.names = el("datalist", { id: "channels" });
    this.plots = [];
    this.changed = () => {};
    const times = table.column("t");
    this.whole = [times[0], times[times.length - 1]];
    [this.from, this.to] = this.whole;
    this.element = el("section.card.plots", { "aria-label": "Diagrams" }, this.head(),
      el("p.hint", {}, "Click: the animation goes there. Drag: zoom. Double click: everything."), this.overlayBar.element,
        this.list,
      this.numericPart(), this.names);
  }

  head() {
    this.degreesBox = el("input", { type: "checkbox", id: "degrees", onchange: () => this.setDegrees(this.degreesBox.checked) });
    this.degreesBox.checked = this.channels.degrees;
    return el("div.card-head", {}, el("h2", {}, "Diagrams"),
      el("div.tools", { role: "toolbar", "aria-label": "All diagrams" },
        el("label.check", {}, this.degreesBox, "degrees"),
        button("Zoom in", icons.plus, () => this.scale(0.5)), button("Zoom out", icons.minus, () => this.scale(2)),
        button("Whole time", icons.reset, () => this.zoomOut()),
        el("button.text", { type: "button", onclick: () => this.addPlot() }, "New diagram")));
  }

  /** Energies, constraint errors and steps speak to those who doubt the numbers: drawn once they ask. */
  numericPart() {
    if (this.numerics.length === 0) return null;
    this.numericDetails = el("details.numerics", {
      ontoggle: () => {
        if (this.numericDetails.open) this.showNumerics();
        else this.plots.forEach((plot) => plot.refresh());
      },
    }, el("summary", {}, "Accuracy: ", el("span.soft", {}, this.numerics.map(({ title }) => title.toLowerCase()).join(", "))),
      this.numericList);
    return this.numericDetails;
  }

  showNumerics() {
    for (const spec of this.numerics.splice(0)) this.append(spec, this.numericList);
  }

  /** Once the element is in the page: diagrams measure themselves. All are there before the page counts as loaded, or
   *  programs that take its picture then would miss them; of long runs the first two, the others one after the other, the
   *  page answering between them. `ready` resolves when all are there. */
  start() {
    this.clock.listen(() => this.plots.forEach((plot) => plot.moveCursor()));
    const specs = this.first.slice();
    const heavy = this.table.rows * this.table.names.length > light;
    specs.splice(0, heavy ? 2 : specs.length).forEach((spec) => this.append(spec));
    if (this.plots.length === 0 && specs.length === 0 && this.numericDetails) this.numericDetails.open = true;
    this.ready = (async () => {
      for (const spec of specs) {
        await nextTask();
        this.append(spec);
      }
    })();
  }

  append(spec, list = this.list) {
    const plot = new TimePlot(this, spec);
    plot.numeric = list === this.numericList;
    this.plots.push(plot);
    list.append(plot.element);
    plot.start();
    return plot;
  }

  addPlot() {
    this.append({ y: [] }).input.focus();
  }

  remove(plot) {
    this.plots = this.plots.filter((other) => other !== plot);
    plot.chart?.destroy();
    plot.element.remove();
    this.changed();
  }

  /** As the address of the page and the run file keep them. */
  get specs() {
    return this.plots.filter((plot) => !plot.numeric && plot.names.length > 0).map((plot) => plot.spec);
  }

  refresh() {
    this.plots.forEach((plot) => plot.refresh());
  }

  setDegrees(on) {
    this.channels.degrees = on;
    this.refresh();
    this.changed();
  }

  zoom(from, to) {
    const least = (this.whole[1] - this.whole[0]) * 1e-7;
    if (!(to - from > least)) return;
    this.from = Math.max(this.whole[0], from);
    this.to = Math.min(this.whole[1], to);
    this.refresh();
    this.changed();
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

  end() {
    this.plots.forEach((plot) => plot.chart?.destroy());
    this.plots = [];
  }

  /** The run has gone on: new rows, up to a later time. */
  grow() {
    const all = this.from === this.whole[0] && this.to === this.whole[1];
    const times = this.table.column("t");
    this.whole = [times[0], times[times.length - 1]];
    if (all) [this.from, this.to] = this.whole;
    this.refresh();
  }

  /** All names, only once somebody wants to choose. */
  fillChannelList() {
    const names = this.channels.names;
    if (this.names.childElementCount === names.length + 1) return;
    this.names.replaceChildren(...["t", ...names].map((name) => el("option", { value: name })));
  }
}
