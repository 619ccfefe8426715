// How somebody has set up a page - diagrams, view, time - in the page's address, and as the `report` section of a run file.
import { el } from "./dom.js";

/** From the part of the address behind #; null: there is none, or it is none of ours. */
export function fromAddress(hash = window.location.hash) {
  if (!hash.startsWith("#report=")) return null;
  try {
    const found = JSON.parse(decodeURIComponent(hash.slice(8)));
    return checked(found);
  } catch (error) {
    console.info(`The address has no arrangement that can be read: ${error.message}`);
    return null;
  }
}

/** Addresses come from anywhere: only what has the right kind is taken. */
function checked(found) {
  if (found === null || typeof found !== "object") return null;
  const text = (value) => typeof value === "string";
  const result = {};
  if (Array.isArray(found.diagrams)) {
    result.diagrams = found.diagrams.filter((one) => one !== null && typeof one === "object" && Array.isArray(one.y)).slice(0,
      40).map((one) => ({
      y: one.y.filter(text).slice(0, 40), ...(text(one.x) ? { x: one.x } : {}),
        ...(text(one.title) ? { title: one.title.slice(0, 200) } : {}),
      ...(one.log === true ? { log: true } : {}), ...(one.spectrum === true ? { spectrum: true } : {}),
    }));
  }
  if (typeof found.degrees === "boolean") result.degrees = found.degrees;
  if (found.view !== null && typeof found.view === "object" && !Array.isArray(found.view)) {
    const { camera, traces, ...rest } = found.view;
    result.view = rest;
    if (Array.isArray(camera) && camera.length === 6 && camera.every(Number.isFinite)) result.view.camera = camera;
    if (Array.isArray(traces)) result.view.traces = traces.filter(text);
  }
  for (const key of ["t", "from", "to"]) if (Number.isFinite(found[key])) result[key] = found[key];
  return result;
}

export class Arrangement {
  /** `handle`: of a run's page: clock, stage and plots, as far as they are there. */
  constructor(handle, report = {}, arranged = null) {
    this.handle = handle;
    this.report = report;
    this.arranged = arranged; // of the address: kept for the parts that the page does not have as yet
    this.note = el("span.soft", { role: "status" });
    this.element = el("span.arrangement", {}, this.note,
      el("button.text", { type: "button", id: "copy-arrangement",
        title: "The report section with these diagrams and this view, to paste into the run file",
        onclick: () => this.copy() }, "Copy for the run file"));
  }

  /** From here on every change goes into the address, a moment later. */
  start() {
    const later = () => {
      if (this.handle.growing) return;
      this.touched = true;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.write(), 150);
    };
    const { clock, stage, plots } = this.handle;
    if (stage) {
      stage.changed = () => {
        stage.lookers.showStandard();
        later();
      };
    }
    if (plots) plots.changed = later;
    let seen = clock.t;
    clock.listen(() => {
      if (clock.playing || clock.t === seen) return;
      seen = clock.t;
      later();
    });
  }

  /** As the run file has it. */
  get section() {
    const { stage, plots } = this.handle;
    const { author, text, labels } = this.report;
    const view = stage?.arrangement ?? {};
    return {
      ...(author ? { author } : {}), ...(text ? { text } : {}), ...(labels ? { labels } : {}),
      ...(plots ? { degrees: plots.channels.degrees, diagrams: plots.specs } : {}), ...(Object.keys(view).length > 0 ? { view }
        : {}),
    };
  }

  get whole() {
    const { author, text, labels, ...section } = this.section;
    const { clock, plots, stage } = this.handle;
    const { diagrams, degrees, view } = this.arranged ?? {};
    const before = { ...(!plots && diagrams ? { diagrams, degrees } : {}), ...(!stage && view ? { view } : {}) };
    const zoomed = plots && (plots.from !== plots.whole[0] || plots.to !== plots.whole[1]);
    return { ...before, ...section, ...(clock.t !== clock.start ? { t: clock.t } : {}),
      ...(zoomed ? { from: plots.from, to: plots.to } : {}) };
  }

  write() {
    const hash = `#report=${encodeURIComponent(JSON.stringify(this.whole))}`;
    try {
      window.history.replaceState(null, "", hash);
    } catch {
      window.location.hash = hash; // some browsers refuse the other for files
    }
  }

  async copy() {
    const text = `"report": ${JSON.stringify(this.section, null, 2)}`;
    this.copied = text;
    try {
      await navigator.clipboard.writeText(text);
      this.note.textContent = "Copied. ";
    } catch {
      this.show(text);
    }
  }

  /** Where the clipboard is out of reach. */
  show(text) {
    const area = el("textarea", { rows: 14, cols: 70, readonly: true, "aria-label": "Report section for the run file" });
    area.value = text;
    const close = el("button.text", { type: "button", onclick: () => box.close() }, "Close");
    const box = el("dialog", { onclose: () => box.remove() }, area, el("p", {}, close));
    document.body.append(box);
    box.showModal();
    area.select();
  }

  /** Time and zoom of an address; the other parts are taken where they are made. */
  apply(arranged) {
    const { clock, plots } = this.handle;
    if (arranged === null) return;
    if (plots && arranged.from !== undefined && arranged.to !== undefined) plots.zoom(arranged.from, arranged.to);
    if (arranged.t !== undefined) clock.set(arranged.t);
  }
}
