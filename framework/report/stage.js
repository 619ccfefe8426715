// The animation's card: the view, and the controls to play, scrub, follow and trace.
import { fittingSpeeds } from "./clock.js";
import { rowBefore } from "./data.js";
import { button, el, icon, icons, select } from "./dom.js";
import { number, withUnit } from "./format.js";
import { Lookers } from "./lookers.js";
import { traceColors, View } from "./view.js";

/** Bodies and named points that can be followed and traced. */
function spots(scene) {
  const bodies = scene.bodies.map((body, i) => [`b${i}`, body.name, i, [0, 0, 0]]);
  const points = scene.points.filter((point) => point.body >= 0).map((point, i) => [`p${i}`, point.name, point.body, point.at]);
  return { bodies, points, find: (id) => [...bodies, ...points].find((spot) => spot[0] === id) };
}

export class Stage {
  /** `arranged`: what the address of the page or the run file says of the view. */
  constructor(scene, motion, clock, { missing, data, modes, fresh }, table, arranged = {}) {
    this.table = table;
    this.arranged = arranged;
    this.changed = () => {};
    this.scene = scene;
    this.motion = motion;
    this.clock = clock;
    this.spots = spots(scene);
    this.traces = [];
    this.canvas = el("canvas", {
      tabindex: 0, role: "img", id: "view",
      "aria-label": "The mechanism in motion. Arrow keys turn the view, plus and minus zoom, space plays.",
    });
    this.note = el("p.stage-note");
    this.lookers = new Lookers(this);
    this.element = el("section.card.stage", { "aria-label": "Animation" },
      el("div.view", {}, this.canvas, this.note), this.transport(), this.lookers.element, this.choices());
    this.margin = modes ? 1.4 : 1.12; // modes swing beyond the places of the results
    this.missing = data.rows > 0 ? missing : [];
    this.hasRows = data.rows > 0;
    this.fresh = fresh;
  }

  start() {
    try {
      this.view = new View(this.canvas, this.scene, this.motion, this.table, this.margin);
    } catch (error) {
      this.note.textContent = "This browser can draw no mechanism. The diagrams work without.";
      this.note.classList.add("strong");
      console.info(error);
      return;
    }
    const lacking = this.missing ?? [];
    if (lacking.length > 0) {
      const shown = lacking.slice(0, 4).join(", ") + (lacking.length > 4 ? ` and ${lacking.length - 4} more` : "");
      this.note.textContent = `Not drawn: bodies whose columns results.csv does not have: ${shown}. ` +
        "Add them to output.channels of the run file.";
      this.note.classList.add("strong");
    } else if (!this.hasRows && !this.fresh) {
      this.note.textContent = "No rows were written: the mechanism as the run file places it.";
      this.note.classList.add("strong");
    } else {
      this.note.textContent = `grid ${number(this.view.cell)} m${this.view.flat ? "; no WebGL: plain picture" : ""}`;
    }
    this.view.update(this.clock.t);
    this.followFastTravel();
    this.lookers.start(this.arranged);
    this.arrange(this.arranged);
    this.clock.listen(() => this.update());
    this.view.render();
    this.pickByClick();
    this.canvas.addEventListener("pointerup", () => this.changed());
    this.canvas.addEventListener("wheel", () => this.changed(), { passive: true });
    this.canvas.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      this.clock.play(!this.clock.playing);
    });
  }

  /** A click on a body chooses it and follows it, a click on nothing lets it go; dragging orbits, as ever. */
  pickByClick() {
    let from = null;
    const { canvas } = this;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("pointerdown", (event) => (from = event.button === 0 ? place(event) : null));
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons !== 0) return;
      const body = this.view.bodyAt(...place(event));
      canvas.style.cursor = body === null ? "" : "pointer";
      canvas.title = body === null ? "" : this.scene.bodies[body].name;
    });
    canvas.addEventListener("pointerup", (event) => {
      if (from === null) return;
      const at = place(event);
      const still = Math.hypot(at[0] - from[0], at[1] - from[1]) < 4;
      from = null;
      if (still) this.choose(this.view.bodyAt(...at));
    });
  }

  choose(body) {
    this.follow.control.value = body === null ? "" : `b${body}`;
    this.view.highlight(body);
    this.view.follow(body);
    this.changed();
  }

  /** What is followed and traced, by name, from an arrangement. */
  arrange({ follow, traces }) {
    const { bodies, points } = this.spots;
    const body = bodies.find(([, name]) => name === follow);
    if (body !== undefined || follow === "") {
      this.follow.control.value = body === undefined ? "" : body[0];
      this.view.follow(body === undefined ? null : body[2]);
    }
    for (const name of traces ?? []) {
      const spot = [...points, ...bodies].find(([, own]) => own === name);
      if (spot !== undefined) this.trace(spot[0]);
    }
  }

  /** What `arrange` and the lookers take. */
  get arrangement() {
    if (!this.view) return this.arranged;
    const followed = this.view.followed === null ? undefined : this.scene.bodies[this.view.followed].name;
    const fast = this.fast === undefined ? undefined : this.scene.bodies[this.fast].name;
    const traces = this.traces.map(({ id }) => this.spots.find(id)[1]);
    return { ...this.lookers.arrangement, ...(followed !== fast ? { follow: followed ?? "" } : {}),
      ...(traces.length > 0 ? { traces } : {}) };
  }

  /** Where a model travels many times its own length the camera goes with its heaviest body. */
  followFastTravel() {
    const { radius, size } = this.view.extents;
    if (radius < 2.2 * size) return;
    const heaviest = this.scene.bodies.reduce((best, body, i) => (body.mass > this.scene.bodies[best].mass ? i : best), 0);
    this.fast = heaviest;
    this.follow.control.value = `b${heaviest}`;
    this.view.follow(heaviest);
  }

  /** The run has gone on: a later end, and what has moved meanwhile shall be in sight. */
  grow() {
    this.slider.max = this.clock.end;
    this.view?.grow();
  }

  end() {
    this.view?.end();
  }

  transport() {
    const { clock, motion } = this;
    const { speeds, chosen } = fittingSpeeds(clock.end - clock.start);
    this.playButton = button("Play", icons.play, () => clock.play(!clock.playing), { class: "primary", id: "play" });
    const row = (by) => {
      const { times } = motion;
      const at = rowBefore(times, clock.t) + (by > 0 || times[rowBefore(times, clock.t)] === clock.t ? by : 0);
      clock.play(false);
      clock.set(times[Math.min(times.length - 1, Math.max(0, at))]);
    };
    this.slider = el("input", {
      type: "range", id: "scrub", min: clock.start, max: clock.end, step: "any", "aria-label": "Time",
      oninput: () => clock.set(Number(this.slider.value)),
    });
    this.time = el("output.time", { for: "scrub" });
    this.speed = select("Speed", speeds.map((s) => [s, `${s} ×`]), (value) => (clock.speed = Number(value)));
    this.speed.control.id = "speed";
    this.speed.control.value = chosen;
    clock.speed = chosen;
    this.loop = el("input", { type: "checkbox", onchange: () => (clock.loops = this.loop.checked) });
    return el("div.transport", { role: "group", "aria-label": "Playback" },
      button("One row back", icons.back, () => row(-1)), this.playButton, button("One row on", icons.forward, () => row(1)),
      this.slider, this.time, this.speed.label, el("label.check", {}, this.loop, "loop"));
  }

  choices() {
    const { bodies, points } = this.spots;
    const option = ([id, name]) => [id, name];
    const groups = [{ group: "Bodies", options: bodies.map(option) }];
    if (points.length > 0) groups.unshift({ group: "Points", options: points.map(option) });
    this.follow = select("Follow", [["", "nothing"], { group: "Bodies", options: bodies.map(option) }], (id) => {
      if (this.view) this.choose(id === "" ? null : Number(id.slice(1)));
    });
    this.follow.control.id = "follow";
    this.tracer = select("Trace", [["", "choose …"], ...groups], (id) => {
      this.tracer.control.value = "";
      if (id !== "") this.trace(id);
    });
    this.tracer.control.id = "trace";
    this.chips = el("span.chips");
    return el("div.choices", {}, this.follow.label, this.tracer.label, this.chips, this.lookers.actions);
  }

  trace(id) {
    if (!this.view || this.traces.some((trace) => trace.id === id)) return;
    const [, name, body, local] = this.spots.find(id);
    const color = traceColors.find((c) => this.traces.every((trace) => trace.color !== c)) ?? traceColors[0];
    const trace = { id, color, drawn: this.view.trace(body, local, color) };
    const chip = el("span.chip", {}, el("i", { style: `background:${color}` }), name,
      button(`Stop tracing ${name}`, icons.close, () => {
        this.traces = this.traces.filter((other) => other !== trace);
        this.view.untrace(trace.drawn);
        chip.remove();
        this.update();
        this.changed();
      }, { class: "tiny" }));
    this.traces.push(trace);
    this.chips.append(chip);
    this.update();
    this.changed();
  }

  update() {
    const { clock } = this;
    if (this.view) this.view.update(clock.t);
    this.slider.value = clock.t;
    const text = withUnit(number(clock.t, 5), "s");
    this.time.textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
    if (this.shownPlaying === clock.playing) return;
    this.shownPlaying = clock.playing;
    this.playButton.replaceChildren(icon(clock.playing ? icons.pause : icons.play));
    const label = clock.playing ? "Pause" : "Play";
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
  }
}
