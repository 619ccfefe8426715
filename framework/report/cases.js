// The cases of a study: their settings and numbers by name, what varies among them, which is best.
import { number, shownUnit } from "./format.js";

/** {"integrator": {"type": "rk4", "step": 0.1}} as {"integrator.type": "rk4", "integrator.step": 0.1}. */
function flat(value, path = "", out = {}) {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    for (const [key, inner] of Object.entries(value)) flat(inner, path === "" ? key : `${path}.${key}`, out);
  } else {
    out[path] = Array.isArray(value) ? JSON.stringify(value) : value;
  }
  return out;
}

/** What there is to know about every case, as plain numbers by name, and the settings in which cases differ. */
export class Cases {
  constructor(study) {
    this.metrics = study.metrics ?? {};
    this.units = study.units ?? {};
    this.sampled = new Set(study.sampled ?? []); // settings whose values are those of random points: no grid, no lines
    this.cases = study.cases.map((one) => {
      const settings = flat(one.set ?? {});
      const numbers = {};
      for (const [key, value] of Object.entries(settings)) if (typeof value === "number") numbers[key] = value;
      for (const [key, value] of Object.entries(one.metrics ?? {})) if (typeof value === "number") numbers[key] = value;
      for (const group of ["statistics", "timing", "max"]) {
        for (const [key,
          value] of Object.entries(one[group] ?? {})) if (typeof value === "number") numbers[`${group}.${key}`] = value;
      }
      return { name: one.name, status: one.status, settings, numbers, one };
    });
    const paths = [...new Set(this.cases.flatMap((one) => Object.keys(one.settings)))];
    this.varied = paths.filter((path) => new Set(this.cases.map((one) => one.settings[path])).size > 1);
    this.numeric = this.varied.filter((path) => this.cases.some((one) => typeof one.settings[path] === "number"));
    const leading = (path) => (/(^|\.)(step|rtol)$/.test(path) ? 0 : 1); // a tolerance's partners change with it
    this.numeric.sort((a, b) => leading(a) - leading(b));
    this.quantities = [...new Set(this.cases.flatMap((one) => Object.keys(one.numbers)))].filter((name) =>
      !paths.includes(name) || this.numeric.includes(name));
  }

  /** "kp" for "parameters.kp", unless another setting ends so as well; counters without their group. */
  spoken(name) {
    const known = [...new Set(this.cases.flatMap((one) => Object.keys(one.settings)))];
    if (!known.includes(name)) return name.replace(/^statistics\./, "").replace(/_/g, " ");
    const parts = name.split(".");
    for (let k = parts.length - 1; k > 0; --k) {
      const end = parts.slice(k).join(".");
      if (known.filter((other) => other === end || other.endsWith(`.${end}`)).length === 1) return end;
    }
    return name;
  }

  /** Unit of a number as people write it, or "": times in s, metrics in that of their channel. */
  unit(name) {
    return /^timing\..*_s$/.test(name) ? "s" : shownUnit(this.units[name]);
  }

  /** "heave (m/s²)" */
  titled(name) {
    const unit = this.unit(name);
    return unit === "" ? this.spoken(name) : `${this.spoken(name)} (${unit})`;
  }

  /** What points may be joined along: nothing where points are random. */
  along(path) {
    return path === undefined || this.sampled.has(path) ? "" : path;
  }

  /** Settings with few values, which span a table. */
  get gridded() {
    return this.numeric.filter((path) => !this.sampled.has(path));
  }

  /** Whether cases differ in how they are computed, not only in what. */
  get comparesMethods() {
    return this.varied.some((path) => /^(integrator|formulation|analysis\.solver|output)/.test(path));
  }

  /** Names of numbers that a table can be judged by: the metrics. */
  get judged() {
    return Object.keys(this.metrics).filter((name) => this.cases.some((one) => Number.isFinite(one.numbers[name])));
  }

  /** The best completed case by a number: the smallest absolute value, or the largest value. */
  best(name, largest) {
    const worth = (one) => (largest ? -one.numbers[name] : Math.abs(one.numbers[name]));
    const able = this.cases.filter((one) => one.status !== "failed" && Number.isFinite(one.numbers[name]));
    return able.reduce((best, one) => (best === null || worth(one) < worth(best) ? one : best), null);
  }

  /** Lines of points {x, y, name}: cases that differ in nothing but `along`, in its order. */
  lines(x, y, along) {
    const rest = this.varied.filter((path) => path !== along && path !== x && path !== y && !this.sampled.has(path));
    const words = (path, value) => (typeof value === "number" ? `${this.spoken(path)} = ${short(value)}` : short(value));
    const lines = new Map();
    for (const one of this.cases) {
      const key = rest.filter((path) => one.settings[path] !== undefined).map((path) =>
        words(path, one.settings[path])).join(", ");
      if (!lines.has(key)) lines.set(key, []);
      const point = { x: one.numbers[x], y: one.numbers[y], order: one.settings[along], name: one.name };
      if (Number.isFinite(point.x) && Number.isFinite(point.y)) lines.get(key).push(point);
    }
    for (const points of lines.values()) points.sort((a, b) => (typeof a.order === "number" ? a.order - b.order : 0));
    return [...lines].filter(([, points]) => points.length > 0);
  }
}

function short(value) {
  return typeof value === "number" ? number(value, 4) : String(value);
}
