// Mode shapes: a table to choose from, and the motion q(t) = q0 + s (Re dq sin(2 pi t) + Im dq cos(2 pi t)) on the stage.
import { el } from "./dom.js";
import { number } from "./format.js";

/** A mode shape as displacements of the bodies' columns about the first row. */
export class ModeShape {
  constructor(scene, table, motion) {
    this.table = table;
    this.motion = motion;
    const columns = (ending) => scene.bodies.map((body) => motion.coordinates.map(([coordinate]) => {
      const name = `${body.name}.${coordinate}${ending}`;
      return table.has(name) ? table.column(name) : null;
    }));
    this.columns = columns("");
    this.imaginary = columns(".imag"); // bodies that do not pass through their middles together
    this.row = 0;
    this.phase = 0;
    this.scale = 1;
  }

  /** Scales so that the farthest translation of any point of the model is `share` of its size. */
  choose(row, size, unit) {
    this.row = row;
    let largest = 0;
    for (const columns of [...this.columns, ...this.imaginary]) {
      columns.forEach((column, k) => {
        if (column === null) return;
        const [, of] = this.motion.coordinates[k]; // an Euler parameter is half an angle
        const arm = of === "m" ? 1 : 0.5 * unit * (of === "rad" ? 1 : 2);
        largest = Math.max(largest, Math.abs(column[row]) * arm);
      });
    }
    this.scale = largest > 0 ? (0.12 * Math.max(unit, 0.5 * size)) / largest : 0;
  }

  displace(body, values) {
    const add = (columns, factor) => columns[body].forEach((column, k) => {
      if (column !== null) values[k] += factor * this.scale * this.amplitude * column[this.row];
    });
    add(this.columns, Math.sin(this.phase));
    add(this.imaginary, Math.cos(this.phase));
  }
}

/** The card with the modes; `chosen(row)` when one is taken, `amplitude(factor)` when it is made larger. */
export class ModeTable {
  constructor(rows, chosen, amplitude) {
    const [header, ...modes] = rows;
    const at = (name) => header.indexOf(name);
    this.buttons = modes.map((mode, i) =>
      el("tr", { onclick: () => this.choose(i) },
        el("td", {}, el("button.text", { type: "button", "aria-pressed": "false",
          "aria-label": `Show mode ${mode[at("mode")]}` }, mode[at("mode")])),
        ...["frequency", "damping_ratio", "real", "imag"].map((name) => el("td.number", {}, number(Number(mode[at(name)]), 5)))));
    this.chosen = chosen;
    const slider = el("input", {
      type: "range", min: 0, max: 3, step: 0.05, value: 1, "aria-label": "Amplitude", oninput: () =>
        amplitude(Number(slider.value)),
    });
    this.element = el("section.card.modes", { "aria-label": "Modes" },
      el("div.card-head", {}, el("h2", {}, "Modes"), el("label.field", {}, el("span", {}, "Amplitude"), slider)),
      el("div.scroll", { tabindex: 0, role: "region", "aria-label": "Modes" },
        el("table", {}, el("thead", {}, el("tr", {}, ["mode", "frequency (Hz)", "damping ratio", "real (1/s)",
          "imaginary (1/s)"].map((name) =>
          el("th", { scope: "col" }, name)))), el("tbody", {}, this.buttons))));
  }

  choose(i) {
    this.buttons.forEach((row, k) => {
      row.classList.toggle("chosen", k === i);
      row.querySelector("button").setAttribute("aria-pressed", String(k === i));
    });
    this.chosen(i);
  }
}
