// A diagram: channels over time or over another channel, or their spectra. Zoom in time is shared with its neighbours, and the
// cursor is the animation's time.
import { axis, Chart, colors } from "./charts.js";
import { rowBefore, valueAt } from "./data.js";
import { button, el, icons } from "./dom.js";
import { reading, withUnit } from "./format.js";
import { listenTo } from "./plotinput.js";
import { savers } from "./plotexport.js";
import { equalRanges, liesOn, quietRange, rangeOf } from "./scales.js";
import { peaksKept, spectrum } from "./spectrum.js";
import { thinned } from "./thinning.js";

/** Points of a curve over another channel: the rows from `from` to `to`, at most about 6000 of them. */
function path(times, x, y, from, to) {
  const first = rowBefore(times, from);
  const last = Math.min(times.length - 1, rowBefore(times, to) + 1);
  const stride = Math.max(1, Math.ceil((last - first) / 6000));
  const points = [];
  for (let row = first; row <= last; row += stride) points.push({ x: x[row], y: y[row] });
  return points;
}

/** An axis with these ends, without labels there unless they are round. */
function limited(axis, [min, max]) {
  return { ...axis, min, max, grace: 0, ticks: { ...axis.ticks, includeBounds: false } };
}

export class TimePlot {
  /** `owner`: the plots' shared range, clock and channels. `spec`: {y: names, x: "t" or a channel, log, spectrum, title}. */
  constructor(owner, spec) {
    this.owner = owner;
    this.names = spec.y.slice();
    this.x = spec.x ?? "t";
    this.log = spec.log ?? false;
    this.isSpectrum = spec.spectrum ?? false;
    this.hover = null;
    this.canvas = el("canvas", { role: "img" });
    this.cursor = el("div.cursor");
    this.dots = el("div.dots");
    this.band = el("div.band", { hidden: true });
    this.frame = el("div.plot-frame", { tabindex: 0, role: "application" }, this.canvas, this.band, this.cursor, this.dots);
    this.legend = el("ul.legend");
    this.element = el("div.plot", { role: "group" }, this.head(spec.title ?? ""), el("div.plot-row", {}, this.legend,
      this.tools), this.frame);
    listenTo(this);
  }

  head(title) {
    const { owner } = this;
    const field = (label, attributes) => el("input", {
      type: "text", list: "channels", "aria-label": label, title: label, autocomplete: "off", spellcheck: "false",
      onfocus: () => owner.fillChannelList(), ...attributes,
    });
    this.titleInput = el("input.plot-title", {
      type: "text", value: title, placeholder: "Title", "aria-label": "Title of the diagram", spellcheck: "false",
      onchange: () => this.changed(),
    });
    this.input = field("Add a channel", { placeholder: "Add a channel …", onchange: () => this.addTyped() });
    this.xInput = field("Channel of the horizontal axis; t is time", { value: this.x, class: "short", onchange: () =>
      this.setX() });
    const box = (text, key, checked, tip) => {
      const input = el("input", { type: "checkbox", onchange: () => this.set(key, input.checked) });
      input.checked = checked;
      return [input, el("label.check", { title: tip }, input, text)];
    };
    const [logBox, logLabel] = box("log", "log", this.log, "Logarithmic vertical axis");
    const [fftBox, fftLabel] = box("FFT", "isSpectrum", this.isSpectrum, "Amplitude spectrum of the visible time (Hann window)");
    Object.assign(this, { logBox, fftBox });
    this.tools = el("div.plot-tools", {}, this.input, el("label.check", {}, "over ", this.xInput), logLabel, fftLabel);
    return el("div.plot-head", {}, this.titleInput, savers(this), button("Remove this diagram", icons.close, () =>
      owner.remove(this), { class: "quiet" }));
  }

  /** What it shows, as the address of the page and the run file keep it. */
  get spec() {
    return {
      ...(this.titleInput.value !== "" ? { title: this.titleInput.value } : {}), ...(this.x !== "t" ? { x: this.x } : {}),
      y: this.names, ...(this.log ? { log: true } : {}), ...(this.isSpectrum ? { spectrum: true } : {}),
    };
  }

  get overTime() {
    return this.x === "t" && !this.isSpectrum;
  }

  changed() {
    this.owner.changed();
  }

  start() {
    this.refresh();
  }

  /** Chart.js sorts what is over time; curves over other channels it has to look through. */
  makeChart() {
    this.chart?.destroy();
    this.sorted = this.x === "t" || this.isSpectrum;
    this.chart = new Chart(this.canvas, {
      type: this.sorted ? "line" : "scatter",
      data: { datasets: [] },
      options: {
        responsive: true, maintainAspectRatio: false, spanGaps: false, events: [],
          ...(this.sorted ? { parsing: false, normalized: true } : {}),
        elements: { point: { radius: 0 }, line: { borderWidth: 1.6, tension: 0, borderJoinStyle: "round" } },
        layout: { padding: { right: 10 } },
        plugins: { tooltip: { enabled: false } },
        scales: { x: axis("", false, { min: 0, max: 1 }), y: axis("", this.log) },
        onResize: () => setTimeout(() => this.refresh(), 0),
      },
    });
  }

  /** Title of the vertical axis. */
  title() {
    const { channels } = this.owner;
    const units = new Set(this.names.map((name) => channels.unit(name)));
    const families = [...new Set(this.names.map((name) => channels.label(name.includes(".") ? name.split(".").slice(0,
      -1).join(".") : name)))];
    const subject = this.names.length === 1 ? channels.label(this.names[0]) : families.length <= 2 ? families.join(", ") : "";
    const unit = units.size === 1 ? [...units][0] : "";
    if (subject.length + unit.length > 18) return unit; // the legend has the names
    return unit === "" ? subject : subject === "" ? unit : `${subject} (${unit})`;
  }

  pointsOf(name, pixels) {
    const { from, to, channels } = this.owner;
    const times = channels.times(name);
    if (this.isSpectrum) return peaksKept(spectrum(times, channels.values(name), from, to), 2 * pixels).filter(({ y }) =>
      !this.log || y > 0);
    if (this.x === "t") return thinned(times, channels.values(name), from, to, pixels, this.log);
    const x = this.xFor(name);
    return x === null ? [] : path(times, channels.values(x), channels.values(name), from, to);
  }

  /** Rows that were left out hide fast motions, which then look like slow ones. */
  frequencyTitle() {
    const { channels } = this.owner;
    const left = Math.max(1, ...this.names.map((name) => channels.find(name)?.table.stride ?? 1));
    return left > 1 ? `frequency (Hz); of one row in ${left}: faster motions show as slower ones` : "frequency (Hz)";
  }

  /** The horizontal channel of the same table as `name`, or null. */
  xFor(name) {
    const { channels } = this.owner;
    const overlay = /^([B-Z]): /.exec(name);
    const own = overlay === null || /^[B-Z]: /.test(this.x) ? this.x : `${overlay[0]}${this.x}`;
    const x = channels.find(own);
    return x !== null && x.table === channels.find(name).table ? own : null;
  }

  /** Every line with its style: what was asked for, and dashed the same channels of overlaid tables. */
  lines() {
    const { channels } = this.owner;
    const lines = [];
    this.names.forEach((name, i) => {
      const color = colors[i % colors.length];
      lines.push({ name, color, dash: i >= colors.length ? [6, 4] : [] });
      if (/^[B-Z]: /.test(name)) return;
      channels.overlays.forEach(({ key }, k) => {
        const other = `${key}: ${name}`;
        if (channels.has(other) && !this.names.includes(other)) lines.push({ name: other, color, dash: [2 + 3 * k, 3],
          width: 2.2 });
      });
    });
    return lines;
  }

  /** Lines that lie on each other, to within a pixel or two, become dashed, so that each lets the one below be seen: Chart.js
   *  draws the last one first. */
  markHidden() {
    const { channels, from, to } = this.owner;
    const range = rangeOf(this.chart.data.datasets.map(({ data }) => data));
    if (range === null || this.isSpectrum) return;
    const near = this.log ? 0 : (range[1] - range[0]) / 150;
    const visible = this.shown.map(({ name }) => {
      const times = channels.times(name);
      return channels.values(name).slice(rowBefore(times, from), rowBefore(times, to) + 2);
    });
    liesOn(visible.reverse(), near).reverse().forEach((rank, i) => {
      if (rank === 0) return;
      this.shown[i].dash = [8, 4 + 4 * rank];
      Object.assign(this.chart.data.datasets[i], { borderDash: this.shown[i].dash });
    });
  }

  /** Whether it is the path of something: lengths over lengths, where a circle has to be round. */
  get isPath() {
    const { channels } = this.owner;
    if (this.x === "t" || this.isSpectrum || this.log || this.names.length === 0) return false;
    return [this.x, ...this.names].every((name) => channels.has(name) && channels.unit(name) === "m");
  }

  /** Axes with ranges that the values alone would not give; they are those that the chart was drawn with. */
  setRanges(x, y) {
    const lists = this.chart.data.datasets.map(({ data }) => data);
    const draw = (axes) => {
      this.chart.options.scales = axes;
      this.chart.update("none");
    };
    if (this.isPath) {
      const [across, up] = [rangeOf(lists, "x"), rangeOf(lists)];
      for (let k = 0; k < 3 && across !== null && up !== null; ++k) { // other ranges may have wider labels
        const { left, right, top, bottom } = this.chart.chartArea;
        if (!(right > left) || !(bottom > top)) return;
        const ranges = equalRanges(across, up, right - left, bottom - top);
        draw({ x: limited(x, ranges.x), y: limited(y, ranges.y) });
      }
    } else if (!this.log && !this.isSpectrum) {
      const quiet = quietRange(rangeOf(lists), Math.max(0, ...this.names.map((name) => this.owner.channels.size(name))));
      if (quiet !== null) draw({ x, y: limited(y, quiet) });
    }
  }

  /** Points of the visible part, scales, title, legend. */
  refresh() {
    if (!this.element.isConnected) return;
    if (!this.chart || this.sorted !== (this.x === "t" || this.isSpectrum)) this.makeChart();
    const { from, to, channels } = this.owner;
    const pixels = Math.max(200, Math.round(this.chart.width));
    this.shown = this.lines();
    this.chart.data.datasets = this.shown.map(({ name, color, dash, width }) => ({
      label: name, borderColor: color, borderDash: dash, showLine: true, data: this.pointsOf(name, pixels),
        ...(width ? { borderWidth: width } : {}),
    }));
    this.markHidden();
    if (this.overTime) this.chart.data.datasets.push(...this.errorBands());
    if (this.frame.classList.contains("path") !== this.isPath) {
      this.frame.classList.toggle("path", this.isPath);
      this.chart.resize();
    }
    const room = { afterFit: (scale) => (scale.width = Math.max(scale.width, 68)) };
    const x = this.isSpectrum ? axis(this.frequencyTitle(), false)
      : this.x === "t" ? axis("t (s)", false, { min: from, max: to })
        : axis(withUnit(channels.label(this.x), channels.unit(this.x) === "" ? "" : `(${channels.unit(this.x)})`), false);
    const y = axis(this.title(), this.log, room);
    const lowest = Math.min(...this.chart.data.datasets.flatMap(({ data }) =>
      data.map(({ y }) => (Number.isFinite(y) ? y : Infinity))));
    const fromZero = lowest === 0 || this.isSpectrum;
    if (!this.log) Object.assign(y, { grace: "4%", min: fromZero ? 0 : undefined });
    this.chart.options.scales = { x, y };
    this.chart.update("none");
    this.setRanges(x, y);
    this.fillLegend();
    this.describe();
    this.moveCursor();
  }

  /** For those who listen to the page. */
  describe() {
    const { channels } = this.owner;
    const over = this.isSpectrum ? "frequency" : this.x === "t" ? "time" : channels.label(this.x);
    const what = `${this.names.map((name) => channels.label(name)).join(", ") || "nothing yet"} over ${over}`;
    this.titleInput.placeholder = what.length > 48 ? `${what.slice(0, 46)} …` : what;
    this.element.setAttribute("aria-label", `Diagram: ${this.titleInput.value || what}`);
    this.canvas.setAttribute("aria-label", what);
    this.frame.setAttribute("aria-label",
      `Diagram of ${what}. Left and right arrow: move the cursor. Plus, minus: zoom. Zero: everything.`);
  }

  /** Verified channels: a band of the estimated error about the line, behind it. */
  errorBands() {
    const bands = [];
    this.chart.data.datasets.forEach(({ label, data, borderColor }) => {
      const error = (this.owner.errors.get(label) ?? 0) * (this.owner.channels.has(label)
        ? this.owner.channels.scale(label).factor : 1);
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
    const { channels } = this.owner;
    this.readings = this.shown.map(() => el("span.reading"));
    this.sizes = this.shown.map(({ name }) =>
      channels.values(name).reduce((most, value) => Math.max(most, Math.abs(value) || 0), 0));
    this.legend.replaceChildren(...this.shown.map(({ name, color, dash }, i) => {
      const label = channels.label(name);
      return el("li", {},
        el("i", { style: dash.length > 0 ? `background:repeating-linear-gradient(90deg,${color} 0 3px,#fff0 3px 5px)`
        : `background:${color}` }),
        el("span.name", { title: name }, label), this.readings[i],
        this.names.includes(name) ? button(`Remove ${label}`, icons.close, () => this.drop(name), { class: "tiny" }) : null);
    }));
  }

  moveCursor() {
    if (!this.chart || !this.chart.scales.x) return;
    const { clock, channels, from, to } = this.owner;
    const { left, right, top, bottom } = this.chart.chartArea;
    const t = this.hover ?? clock.t;
    this.cursor.hidden = !this.overTime || clock.t < from || clock.t > to;
    this.dots.hidden = this.overTime || this.isSpectrum;
    if (!this.cursor.hidden) {
      const x = this.chart.scales.x.getPixelForValue(clock.t);
      this.cursor.hidden = x < left - 1 || x > right + 1;
      Object.assign(this.cursor.style, { transform: `translateX(${x}px)`, top: `${top}px`, height: `${bottom - top}px` });
    }
    const scale = (name) => channels.scale(name).factor;
    const at = (name) => {
      const { table, column } = channels.find(name);
      return scale(name) * valueAt(channels.times(name), table.column(column), t);
    };
    if (!this.dots.hidden) {
      this.dots.replaceChildren(...this.shown.filter(({ name }) => this.xFor(name) !== null).map(({ name, color }) => {
        const [x, y] = [this.chart.scales.x.getPixelForValue(at(this.xFor(name))),
          this.chart.scales.y.getPixelForValue(at(name))];
        return el("i", { style: `left:${x}px;top:${y}px;background:${color}` });
      }));
    }
    this.shown.forEach(({ name }, i) => {
      this.readings[i].textContent = this.isSpectrum ? channels.unit(name) : withUnit(reading(at(name), this.sizes[i]),
        channels.unit(name));
    });
    this.legend.classList.toggle("hover", this.hover !== null);
  }

  add(name) {
    if (!this.owner.channels.has(name) || this.names.includes(name)) return false;
    this.names.push(name);
    this.refresh();
    this.changed();
    return true;
  }

  /** Whether the text of an input names a channel; says so at the input if not. */
  check(input, also) {
    const name = input.value.trim();
    const known = also.includes(name) || this.owner.channels.has(name);
    input.setCustomValidity(known ? "" : `There is no channel '${name}'`);
    if (!known) input.reportValidity();
    return known;
  }

  addTyped() {
    if (!this.check(this.input, [""])) return;
    this.add(this.input.value.trim());
    this.input.value = "";
  }

  setX() {
    if (this.xInput.value.trim() === "") this.xInput.value = "t";
    if (this.check(this.xInput, ["t"])) this.set("x", this.xInput.value.trim());
  }

  drop(name) {
    this.names = this.names.filter((other) => other !== name);
    if (this.names.length === 0) this.owner.remove(this);
    else this.refresh();
    this.changed();
  }

  set(key, value) {
    this[key] = value;
    this.refresh();
    this.changed();
  }
}
