// The live view: the page of a run while it goes on, made anew when the run file changes.
import { fromAddress } from "./arrangement.js";
import { keepBlocks } from "./data.js";
import { el } from "./dom.js";
import { number } from "./format.js";
import { GrowingTable } from "./growing.js";
import { runPage } from "./runpage.js";

const quick = 250; // ms between questions while something goes on
const slow = 700;

const words = {
  loading: "reading the run file", wrong: "the run file is wrong", ready: "not run yet", running: "running",
    completed: "completed", failed: "failed",
  interrupted: "stopped",
};

const over = (p) => !["running", "ready", "loading", "wrong"].includes(p.phase);

/** The bar above the page. */
class Bar {
  constructor(ask) {
    const action = (text, id, what) => el("button.text", { type: "button", id, onclick: () => ask(what) }, text);
    this.stop = action("Stop", "stop", "stop");
    this.run = action("Run", "run", "run");
    this.again = el("input", { type: "checkbox", id: "again", onchange: () => ask(`again?on=${this.again.checked ? 1 : 0}`) });
    this.state = el("strong", { role: "status", id: "phase" });
    this.bar = el("progress", { max: 1, value: 0, "aria-label": "Simulated time" });
    this.numbers = el("span.soft", { id: "progress-numbers" });
    this.errors = el("pre.live-errors", { role: "alert", id: "errors", hidden: true });
    this.file = el("code", {});
    this.element = el("div.live-bar", { role: "region", "aria-label": "The run" },
      el("div.live-line", {}, this.file, this.state, this.bar, this.numbers, el("span.gap"), this.stop, this.run,
        el("label.check", {}, this.again, "run after every change")),
      this.errors);
  }

  show(p) {
    const running = p.phase === "running";
    this.file.textContent = p.file;
    this.state.textContent = words[p.phase] ?? p.phase;
    this.state.className = `pill ${p.phase}`;
    this.bar.hidden = !running || !(p.t_end > 0);
    if (!this.bar.hidden) this.bar.value = p.t / p.t_end;
    const left = p.t > 0 ? p.seconds * (p.t_end / p.t - 1) : NaN;
    this.numbers.textContent = !running ? (p.steps > 0 && p.phase !== "ready" ? `${p.steps} steps` : "")
      : p.t_end > 0
        ? `t = ${number(p.t, 4)} of ${number(p.t_end, 4)} s, ${p.steps} steps, h = ${number(p.h, 2)} s${Number.isFinite(left) ? `, ${number(left, 2)} s left` : ""}`
        : `${p.steps} iterations`;
    this.stop.disabled = !running;
    this.run.disabled = running || p.phase === "wrong" || p.phase === "loading";
    this.run.textContent = p.run > 0 ? "Run again" : "Run";
    this.again.checked = p.again;
    const problem = p.errors !== "" ? p.errors : p.phase === "failed" ? p.message : "";
    this.errors.hidden = problem === "";
    if (this.errors.textContent !== problem) this.errors.textContent = problem;
  }

  lost() {
    this.state.textContent = "the view has ended; start `trammel view` again";
    this.state.className = "pill failed";
    for (const control of [this.stop, this.run, this.again]) control.disabled = true;
  }
}

class Live {
  constructor(app) {
    this.bar = new Bar((what) => this.post(what));
    this.place = el("div", { id: "live-page" });
    app.append(this.bar.element, this.place);
    this.shown = { revision: -1, run: -1, phase: "" };
    this.follows = true; // the animation goes with the end of the run until somebody moves it
  }

  async get(place) {
    const answer = await fetch(place, { cache: "no-store" });
    if (!answer.ok) throw Object.assign(new Error(await answer.text()), { status: answer.status });
    return answer;
  }

  async post(place) {
    this.bar.show(await (await fetch(place, { method: "POST" })).json());
  }

  async keepAsking() {
    for (let missed = 0; missed < 8;) {
      try {
        await this.look();
        missed = 0;
      } catch (error) {
        console.info(error);
        if (error.status !== 409) ++missed; // 409: the run has changed in between
      }
      const busy = ["running", "loading"].includes(this.progress?.phase);
      await new Promise((resolve) => setTimeout(resolve, busy ? quick : slow));
    }
    this.bar.lost();
  }

  async look() {
    const p = await (await this.get("progress")).json();
    this.progress = p;
    this.bar.show(p);
    if (p.revision === 0) return;
    const { shown } = this;
    if (p.revision !== shown.revision || p.run !== shown.run) {
      await this.showModel(p);
    } else if (over(p) && shown.phase !== p.phase) {
      await this.showResults(p);
    } else if (p.phase === "ready" && shown.phase !== "ready") {
      await this.showModel(p);
    }
    if (p.phase === "running") await this.grow(p);
    else if (over(p) && this.shown.phase !== p.phase) await this.showResults(p);
  }

  /** The model as the run file places it, and the run that has begun, without rows as yet. */
  async showModel(p) {
    const content = await (await this.get("model")).json();
    this.table = new GrowingTable(content.channels ?? [], content.units);
    this.next = 0;
    this.content = content;
    // A run that is over already has results to show still.
    this.shown = { revision: p.revision, run: p.run, phase: over(p) ? "" : p.phase };
    this.follows = true;
    this.draw({ ...content, fresh: true }, this.table);
  }

  async showResults(p) {
    let results = null;
    try {
      results = await (await this.get("finished")).json();
    } catch (error) {
      if (error.status === 409) throw error; // the run has changed in between
      console.info(error.message); // a run that failed before its first row: the model stays
      this.shown.phase = p.phase;
      return;
    }
    keepBlocks(results.blocks);
    this.draw(results.content);
    this.shown.phase = p.phase;
  }

  /** The page anew, with what somebody has set up in the one before. */
  draw(content, table) {
    const before = this.handle;
    const at = before && !this.follows ? before.clock.t : undefined;
    if (before?.arrangement.touched) before.arrangement.write();
    before?.end();
    this.place.replaceChildren();
    this.handle = runPage({ ...content, live: true }, this.place, table);
    window.trammel = Object.assign(window.trammel, { plots: undefined, stage: undefined }, this.handle, { live: this });
    const { clock } = this.handle;
    if (table === undefined) return at === undefined ? undefined : clock.set(at);
    if (this.follows) clock.set(clock.end);
    else if (at !== undefined) clock.set(at);
    return clock.listen(() => {
      if (!this.growing) this.follows = clock.t >= clock.end;
    });
  }

  async grow(p) {
    for (;;) {
      const answer = await this.get(`rows?run=${this.shown.run}&from=${this.next}`);
      const [stride, first, count] = ["Stride", "First", "Count"].map((name) => Number(answer.headers.get(`Trammel-${name}`)));
      if (count === 0) return;
      const before = this.table.rows;
      this.table.append(new Float64Array(await answer.arrayBuffer()), stride, first);
      this.next = first + count * stride;
      this.growing = true;
      if (before < 2 && this.table.rows > 1) this.draw({ ...this.content, fresh: true }, this.table);
      else this.handle.grow(this.follows);
      this.growing = false;
      if (this.next >= p.rows) return;
    }
  }
}

export function livePage(content, app) {
  const live = new Live(app);
  live.bar.show({ file: content.title, phase: "loading", errors: "", again: true, run: 0, steps: 0 });
  live.keepAsking();
  return { live, arranged: fromAddress() };
}
