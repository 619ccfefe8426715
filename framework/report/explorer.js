// Diagrams over the cases of a study: any number of a case over any other, in log-log where that makes sense.
import { axis, Chart, colors } from "./charts.js";
import { button, el, icons, select } from "./dom.js";
import { Cases } from "./cases.js";
import { number, withUnit } from "./format.js";
import { liesOn, quietRange } from "./scales.js";

/** Least-squares slope of log y over log x. */
function slope(points) {
  const logs = points.filter((p) => p.x > 0 && p.y > 0).map((p) => [Math.log(p.x), Math.log(p.y)]);
  if (logs.length < 2) return NaN;
  const mean = (k) => logs.reduce((sum, p) => sum + p[k], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  const [sxy, sxx] = logs.reduce(([a, b], p) => [a + (p[0] - mx) * (p[1] - my), b + (p[0] - mx) ** 2], [0, 0]);
  return sxx > 0 ? sxy / sxx : NaN;
}

const markers = ["circle", "rect", "triangle", "rectRot", "star", "crossRot"];

class Diagram {
  constructor(owner, choice) {
    this.owner = owner;
    this.choice = choice;
    const { cases } = owner;
    const options = cases.quantities.map((name) => [name, cases.spoken(name)]);
    const picker = (label, key, list) => {
      const made = select(label, list, (value) => {
        this.choice[key] = value;
        this.choice.title = "";
        this.refresh();
      });
      made.control.value = choice[key] ?? "";
      return made.label;
    };
    const log = (label, key) => {
      const box = el("input", { type: "checkbox", onchange: () => this.set(key, box.checked) });
      box.checked = choice[key];
      return el("label.check", {}, box, label);
    };
    this.canvas = el("canvas", { role: "img", "aria-label": "Diagram of the cases; the table below has the numbers" });
    this.heading = el("h3", {});
    this.legend = el("ul.legend");
    this.element = el("div.plot.study-plot", {},
      el("div.plot-head", {}, this.heading, button("Remove this diagram", icons.close, () => owner.remove(this),
        { class: "quiet" })),
      el("div.plot-frame.tall", {}, this.canvas), this.legend,
      el("div.choices", {}, picker("Across", "x", options), log("log", "logX"), picker("Up", "y", options), log("log", "logY"),
        picker("Joined along", "along", [["", "nothing"], ...cases.gridded.map((path) => [path, cases.spoken(path)])])));
  }

  set(key, value) {
    this.choice[key] = value;
    this.refresh();
  }

  start() {
    this.chart = new Chart(this.canvas, {
      type: "scatter",
      data: { datasets: [] },
      options: {
        responsive: true, maintainAspectRatio: false,
        layout: { padding: { right: 12, top: 6 } },
        plugins: { tooltip: { callbacks: { label: (item) => this.tip(item) }, displayColors: false } },
        scales: { x: axis("", true), y: axis("", true) },
      },
    });
    this.refresh();
  }

  tip(item) {
    const { x, y } = this.choice;
    const { cases } = this.owner;
    const told = (name, value) => `${cases.spoken(name)} = ${withUnit(number(value), cases.unit(name))}`;
    return [item.raw.name, told(x, item.raw.x), told(y, item.raw.y)];
  }

  /** A little more than whole decades would be too much, less would cut markers. */
  range(values, log) {
    const low = Math.min(...values);
    const high = Math.max(...values);
    if (!log) {
      const quiet = quietRange([low, high], 0);
      return quiet === null ? {} : { min: quiet[0], max: quiet[1] };
    }
    const margin = Math.max(1.25, (high / low) ** 0.04);
    return { min: low / margin, max: high * margin };
  }

  refresh() {
    const { x, y, along, logX, logY, title } = this.choice;
    const positive = (p) => (!logX || p.x > 0) && (!logY || p.y > 0);
    const lines = this.owner.cases.lines(x, y, along).map(([name, points]) => [name, points.filter(positive)]).filter(([, p]) =>
      p.length > 0);
    const all = lines.flatMap(([, points]) => points);
    const ups = all.map((p) => (logY ? Math.log(p.y) : p.y));
    const same = liesOn(lines.map(([, points]) => points.map((p) => (logY ? Math.log(p.y) : p.y))).reverse(),
      (Math.max(...ups) - Math.min(...ups)) / 300).reverse();
    // Lines that lie on others are dashed, with rings about the markers below; Chart.js draws the last one first.
    this.chart.data.datasets = lines.map(([name, points], i) => ({
      label: name, data: points, showLine: along !== "", borderColor: colors[i % colors.length],
        backgroundColor: same[i] > 0 ? "transparent" : colors[i % colors.length],
      ...(same[i] > 0 ? { borderDash: [8, 4 + 4 * same[i]] } : {}), pointBorderWidth: same[i] > 0 ? 1.7 : 1,
      borderWidth: 1.7, pointRadius: 4 + 3 * same[i], pointHoverRadius: 6 + 3 * same[i],
      pointStyle: markers[Math.floor(i / colors.length) % markers.length],
    }));
    this.chart.options.scales = all.length === 0 ? { x: axis(x, false), y: axis(y, false) } : {
      x: axis(this.owner.cases.titled(x), logX, this.range(all.map((p) => p.x), logX)),
      y: axis(this.owner.cases.titled(y), logY, this.range(all.map((p) => p.y), logY)),
    };
    this.chart.update("none");
    this.heading.textContent = title || `${this.owner.cases.spoken(y)} over ${this.owner.cases.spoken(x)}`;
    const slopes = logX && logY && along !== "" && x === along;
    this.legend.replaceChildren(...lines.map(([name, points], i) => {
      const value = slopes ? slope(points) : NaN;
      const color = colors[i % colors.length];
      const swatch = same[i] > 0 ? `repeating-linear-gradient(90deg,${color} 0 3px,#fff0 3px 5px)` : color;
      return el("li", {}, el("i", { style: `background:${swatch}` }), el("span.name", {}, name === ""
        ? "all cases" : name),
        Number.isFinite(value) ? el("span.reading", {}, `slope ${number(value, 3)}`) : null);
    }));
  }
}

/** Logarithmic where values are positive and span a decade and a half. */
function spans(cases, name) {
  const values = cases.cases.map((one) => one.numbers[name]).filter(Number.isFinite);
  return values.length > 1 && Math.min(...values) > 0 && Math.max(...values) > 30 * Math.min(...values);
}

/** Convergence for every order that is measured; work and precision where methods are compared; else metrics over what varies. */
function firstChoices(cases) {
  const { metrics, numeric, quantities } = cases;
  const choices = [];
  const has = (name) => quantities.includes(name);
  const positive = (name) => cases.cases.some((one) => one.numbers[name] > 0);
  for (const metric of Object.values(metrics)) {
    if (metric.type === "order" && has(metric.of) && has(metric.over)) {
      const title = `Convergence: ${metric.of} over ${cases.spoken(metric.over)}`;
      choices.push({ title, x: metric.over, y: metric.of, along: metric.over, logX: true, logY: true });
    }
  }
  const named = (type) => Object.keys(metrics).filter((name) => metrics[name].type === type && has(name));
  const errors = [...named("error"), ...named("energy_drift"), ...named("drift")].filter(positive);
  const cost = [...named("cpu_time"), ...named("counter"), "statistics.evaluations", "statistics.steps",
    "timing.solve_s"].find((name) => has(name) && positive(name));
  if (cost !== undefined && cases.cases.length > 1 && cases.comparesMethods) {
    for (const error of errors.slice(0, 2)) {
      choices.push({ title: `Work and precision: ${error}`, x: cost, y: error, along: cases.along(numeric[0]), logX: true, logY: true });
    }
  }
  if (choices.length > 0 || numeric.length === 0) return choices;
  for (const metric of Object.keys(metrics).filter(has).slice(0, 4)) {
    choices.push({ title: "", x: numeric[0], y: metric, along: cases.along(numeric[0]), logX: spans(cases, numeric[0]),
      logY: spans(cases, metric) });
  }
  return choices;
}

export class Explorer {
  constructor(study) {
    this.cases = new Cases(study);
    this.list = el("div.plot-list.columns");
    this.element = el("section.card.plots", { "aria-label": "Diagrams" },
      el("div.card-head", {}, el("h2", {}, "Diagrams"),
        el("div.tools", {}, el("button.text", { type: "button", onclick: () => this.addAnother() }, "New diagram"))), this.list);
    this.diagrams = [];
  }

  start() {
    for (const choice of firstChoices(this.cases)) this.append(choice);
  }

  append(choice) {
    const diagram = new Diagram(this, choice);
    this.diagrams.push(diagram);
    this.list.append(diagram.element);
    diagram.start();
  }

  addAnother() {
    const { quantities, numeric } = this.cases;
    this.append({ title: "", x: numeric[0] ?? quantities[0], y: quantities[quantities.length - 1],
      along: this.cases.along(numeric[0]), logX: true, logY: true });
  }

  remove(diagram) {
    this.diagrams = this.diagrams.filter((other) => other !== diagram);
    diagram.chart.destroy();
    diagram.element.remove();
  }
}
