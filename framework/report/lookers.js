// Controls of how the mechanism is looked at: standard views, projection, what is shown besides the bodies, pictures to keep.
import { standardViews } from "./camera.js";
import { el, menu, select } from "./dom.js";
import { svgOfScene } from "./painter.js";
import { fileName, save } from "./save.js";
import { Triad, triadMarkup, triadSize } from "./triad.js";

/** A switch of the view: key in an arrangement, words, what it does, whether it is on at first. */
const switches = [
  ["joints", "joints", (view, on) => view.showMarkers(on), true],
  ["ground", "grid", (view, on) => view.showGround(on), true],
  ["forces", "forces", (view, on) => view.showArrows("force", on), false],
  ["velocities", "velocities", (view, on) => view.showArrows("velocity", on), false],
  ["contacts", "contacts", (view, on) => view.showContacts(on), true],
];

export class Lookers {
  constructor(stage) {
    this.stage = stage;
    this.view = select("View", [["", "as turned"], ...standardViews.map((name) => [name, name])], (name) => {
      if (name !== "") this.seen.home(name);
      this.stage.changed();
    });
    this.view.control.id = "standard-view";
    this.parallel = this.check("parallel", "parallel", (view, on) => view.setParallel(on), false);
    this.boxes = switches.map(([key, text, change, on]) => this.check(key, text, change, on));
    this.length = el("input", {
      type: "range", min: -1, max: 1, step: 0.05, value: 0, "aria-label": "Length of the arrows", title: "Length of the arrows",
        class: "arrow-length",
      oninput: () => {
        this.seen.scaleArrows(10 ** Number(this.length.value));
        this.stage.changed();
      },
    });
    this.element = el("div.choices", { role: "group", "aria-label": "View" }, this.view.label, this.parallel.label,
      ...this.boxes.map(({ label }) => label),
      this.length);
    this.actions = [el("span.gap"), el("button.text", { type: "button", onclick: () => this.reset() }, "Reset view"),
      menu("Save", "Save a picture of the mechanism", [["Picture (PNG)", () => this.png()], ["Drawing (SVG)", () =>
        this.svg()]])];
  }

  get seen() {
    return this.stage.view;
  }

  check(key, text, change, on) {
    const box = el("input", {
      type: "checkbox", id: `show-${key}`,
      onchange: () => {
        if (!this.seen) return;
        change(this.seen, box.checked);
        this.showLength();
        this.stage.changed();
      },
    });
    box.checked = on;
    return { key, box, on, change, label: el("label.check", {}, box, text) };
  }

  showLength() {
    const arrows = this.boxes.some(({ key, box, label }) => ["forces", "velocities"].includes(key) && box.checked
      && !label.hidden);
    this.length.hidden = !arrows;
  }

  /** Once there is a view: switches for what the model does not have are left out. */
  start(arranged) {
    const { arrows } = this.seen;
    const there = { forces: arrows.has("force"), velocities: arrows.has("velocity"), contacts: arrows.contacts.length > 0 };
    for (const one of [this.parallel, ...this.boxes]) {
      one.label.hidden = there[one.key] === false;
      if (arranged[one.key] !== undefined) one.box.checked = arranged[one.key];
      if (one.box.checked !== one.on) one.change(this.seen, one.box.checked);
    }
    if (arranged.arrow_scale > 0) {
      this.length.value = Math.log10(arranged.arrow_scale);
      this.seen.scaleArrows(arranged.arrow_scale);
    }
    if (standardViews.includes(arranged.from)) this.seen.home(arranged.from);
    if (Array.isArray(arranged.camera) && arranged.camera.length === 6) this.seen.eye.spot = arranged.camera;
    this.showLength();
    this.showStandard();
  }

  showStandard() {
    const { standard } = this.seen.eye;
    if (this.view.control.value !== standard) this.view.control.value = standard;
  }

  reset() {
    if (!this.seen) return;
    this.seen.home(this.stage.scene.planar ? "front" : "oblique");
    this.stage.changed();
  }

  /** Only what differs from how a page opens. */
  get arrangement() {
    const { eye } = this.seen;
    const home = this.stage.scene.planar ? "front" : "oblique";
    const from = eye.standard !== "" ? (eye.standard !== home ? { from: eye.standard } : {}) : { camera: eye.spot };
    const shown = [this.parallel, ...this.boxes].filter(({ box, on, label }) => box.checked !== on
      && !label.hidden).map(({ key, box }) => [key, box.checked]);
    const scale = Number(this.length.value) !== 0 ? { arrow_scale: Number((10 ** Number(this.length.value)).toPrecision(3)) }
      : {};
    return { ...from, ...Object.fromEntries(shown), ...scale };
  }

  get name() {
    return fileName(`${document.title} t ${Number(this.stage.clock.t.toPrecision(4))}`);
  }

  /** What is seen, on white, with the axes. */
  png() {
    const { canvas, width, eye } = this.seen;
    this.seen.render();
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d");
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(canvas, 0, 0);
    const ratio = canvas.width / width;
    Triad.paint(context, eye.active, copy.width - triadSize * ratio, copy.height - triadSize * ratio, ratio);
    copy.toBlob((blob) => save(`${this.name}.png`, blob, "image/png"));
  }

  svg() {
    const { scene, eye, width, height } = this.seen;
    const triad = `<g transform="translate(${width - triadSize} ${height - triadSize})">${triadMarkup(eye.active)}</g>`;
    save(`${this.name}.svg`, svgOfScene(scene, eye.active, width, height, triad), "image/svg+xml");
  }
}
