// A diagram of channels over time: zoom shared with its neighbours, a cursor that is the animation's time.
import { axis, Chart, colors } from "./charts.js";
import { rowBefore, valueAt } from "./data.js";
import { button, el, icons } from "./dom.js";
import { number, shownUnit, withUnit } from "./format.js";
import { thinned } from "./thinning.js";

export class TimePlot {
  /** `owner`: the plots' shared range, clock and table. `names`: channels to begin with. */
  constructor(owner, names, log) {
    this.owner = owner;
    this.names = names.slice();
    this.log = log;
    this.hover = null;
    this.canvas = el("canvas", {});
    this.cursor = el("div.cursor");
    this.band = el("div.band", { hidden: true });
    this.frame = el("div.plot-frame", {
      tabindex: 0, role: "application",
      "aria-label": "Diagram over time. Left and right arrow: move the cursor. Plus, minus: zoom. Zero: everything.",
    }, this.canvas, this.band, this.cursor);
    this.legend = el("ul.legend");
    this.input = el("input", {
      type: "text", list: "channels", placeholder: "Add a channel …", "aria-label": "Add a channel", autocomplete: "off", spellcheck: "false",
      onfocus: () => owner.fillChannelList(), onchange: () => this.addTyped(),
    });
    this.logBox = el("input", { type: "checkbox", onchange: () => this.setLog(this.logBox.checked) });
    this.logBox.checked = log;
    this.element = el("div.plot", {},
      el("div.plot-head", {}, this.legend,
        el("div.plot-tools", {}, this.input, el("label.check", {}, this.logBox, "log"),
          button("Remove this diagram", icons.close, () => owner.remove(this), { class: "quiet" }))),
      this.frame);
    this.listen();
  }

  start() {
    this.chart = new Chart(this.canvas, {
      type: "line",
      data: { datasets: [] },
      options: {
        responsive: true, maintainAspectRatio: false, parsing: false, normalized: true, spanGaps: false, events: [],
        elements: { point: { radius: 0 }, line: { borderWidth: 1.6, tension: 0, borderJoinStyle: "round" } },
        layout: { padding: { right: 10 } },
        plugins: { tooltip: { enabled: false } },
        scales: { x: axis("t (s)", false, { min: 0, max: 1 }), y: axis("", this.log) },
        onResize: () => requestAnimationFrame(() => this.refresh()),
      },
    });
    this.refresh();
  }

  title() {
    const units = new Set(this.names.map((name) => shownUnit(this.owner.table.unit(name))));
    const families = [...new Set(this.names.map((name) => (name.includes(".") ? name.split(".").slice(0, -1).join(".") : name)))];
    const subject = this.names.length === 1 ? this.names[0] : families.length <= 2 ? families.join(", ") : "";
    const unit = units.size === 1 ? [...units][0] : "";
    if (subject.length + unit.length > 18) return unit; // the legend has the names
    return unit === "" ? subject : subject === "" ? unit : `${subject} (${unit})`;
  }

  /** Points of the visible part, scales, title, legend. */
  refresh() {
    if (!this.chart) return;
    const { from, to, table } = this.owner;
    const times = table.column("t");
    const pixels = Math.max(200, Math.round(this.chart.width));
    this.chart.data.datasets = this.names.map((name, i) => ({
      label: name, borderColor: colors[i % colors.length],
      borderDash: i >= colors.length ? [6, 4] : [],
      data: thinned(times, table.column(name), from, to, pixels, this.log),
    }));
    this.chart.data.datasets.push(...this.errorBands());
    this.chart.options.scales = { x: axis("t (s)", false, { min: from, max: to }), y: axis(this.title(), this.log, { afterFit: (scale) => (scale.width = Math.max(scale.width, 68)) }) };
    const lowest = Math.min(...this.chart.data.datasets.flatMap(({ data }) => data.map(({ y }) => (Number.isFinite(y) ? y : Infinity))));
    if (!this.log) Object.assign(this.chart.options.scales.y, { grace: "4%", min: lowest === 0 ? 0 : undefined });
    this.chart.update("none");
    this.fillLegend();
    this.moveCursor();
  }

  /** Verified channels: a band of the estimated error about the line, behind it. */
  errorBands() {
    const bands = [];
    this.chart.data.datasets.forEach(({ label, data, borderColor }) => {
      const error = this.owner.errors.get(label);
      if (!(error > 0) || this.log) return;
      const edge = (sign) => ({
        label: `${label} error`, borderWidth: 0, backgroundColor: `${borderColor}33`,
        data: data.map(({ x, y }) => ({ x, y: y + sign * error })), fill: sign > 0 ? "-1" : false,
      });
      bands.push(edge(-1), edge(1));
    });
    return bands;
  }

  fillLegend() {
    this.readings = this.names.map(() => el("span.reading"));
    this.legend.replaceChildren(...this.names.map((name, i) =>
      el("li", {}, el("i", { style: `background:${colors[i % colors.length]}` }), el("span.name", {}, name), this.readings[i],
        button(`Remove ${name}`, icons.close, () => this.drop(name), { class: "tiny" }))));
  }

  moveCursor() {
    if (!this.chart || !this.chart.scales.x) return;
    const { clock, table, from, to } = this.owner;
    const { left, right, top, bottom } = this.chart.chartArea;
    const x = this.chart.scales.x.getPixelForValue(clock.t);
    this.cursor.hidden = clock.t < from || clock.t > to || x < left - 1 || x > right + 1;
    this.cursor.style.transform = `translateX(${x}px)`;
    this.cursor.style.top = `${top}px`;
    this.cursor.style.height = `${bottom - top}px`;
    const t = this.hover ?? clock.t;
    const times = table.column("t");
    this.names.forEach((name, i) => {
      const value = valueAt(times, table.column(name), t);
      this.readings[i].textContent = withUnit(number(value, 6), shownUnit(this.owner.table.unit(name)));
    });
    this.legend.classList.toggle("hover", this.hover !== null);
  }

  add(name) {
    if (!this.owner.table.has(name) || this.names.includes(name)) return false;
    this.names.push(name);
    this.refresh();
    return true;
  }

  addTyped() {
    const name = this.input.value.trim();
    const known = name === "" || this.owner.table.has(name);
    this.input.setCustomValidity(known ? "" : `There is no channel '${name}'`);
    if (!known) return this.input.reportValidity();
    this.add(name);
    this.input.value = "";
    return true;
  }

  drop(name) {
    this.names = this.names.filter((other) => other !== name);
    if (this.names.length === 0) this.owner.remove(this);
    else this.refresh();
  }

  setLog(log) {
    this.log = log;
    this.refresh();
  }

  timeAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const { left, right } = this.chart.chartArea;
    return this.chart.scales.x.getValueForPixel(Math.min(right, Math.max(left, event.clientX - box.left)));
  }

  /** Click: the animation goes there. Drag: zoom to the band. Double click: everything. Wheel with Ctrl, Shift: zoom. */
  listen() {
    const { owner, frame } = this;
    let begin = null;
    frame.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      begin = { x: event.clientX, t: this.timeAt(event) };
      frame.setPointerCapture(event.pointerId);
    });
    frame.addEventListener("pointermove", (event) => {
      this.hover = this.timeAt(event);
      if (begin !== null) this.showBand(begin.x, event.clientX);
      this.moveCursor();
    });
    frame.addEventListener("pointerleave", () => {
      this.hover = null;
      this.moveCursor();
    });
    frame.addEventListener("pointerup", (event) => {
      if (begin === null) return;
      const [from, to] = [begin.t, this.timeAt(event)].sort((a, b) => a - b);
      const dragged = Math.abs(event.clientX - begin.x) > 5;
      begin = null;
      this.band.hidden = true;
      if (dragged && to > from) owner.zoom(from, to);
      else owner.clock.set(to);
    });
    frame.addEventListener("dblclick", () => owner.zoomOut());
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      owner.scale(Math.exp((event.deltaY || event.deltaX) / 400), this.timeAt(event));
    }, { passive: false });
    frame.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const { owner } = this;
    const times = owner.table.column("t");
    const actions = {
      "+": () => owner.scale(0.5), "=": () => owner.scale(0.5), "-": () => owner.scale(2), 0: () => owner.zoomOut(),
      ArrowRight: () => owner.clock.set(times[Math.min(times.length - 1, rowBefore(times, owner.clock.t) + 1)]),
      ArrowLeft: () => owner.clock.set(times[Math.max(0, rowBefore(times, owner.clock.t - 1e-12 * Math.abs(owner.clock.t)))]),
    };
    if (actions[event.key] === undefined) return;
    event.preventDefault();
    actions[event.key]();
  }

  showBand(a, b) {
    const box = this.canvas.getBoundingClientRect();
    const { left, right, top, bottom } = this.chart.chartArea;
    const clamp = (x) => Math.min(right, Math.max(left, x - box.left));
    const [from, to] = [clamp(Math.min(a, b)), clamp(Math.max(a, b))];
    this.band.hidden = to - from < 3;
    Object.assign(this.band.style, { left: `${from}px`, width: `${to - from}px`, top: `${top}px`, height: `${bottom - top}px` });
  }
}
