// Other runs and measured tables over this run's diagrams: those of the page, and those that somebody opens.
import { parseCsv, PlainTable } from "./csv.js";
import { Table } from "./data.js";
import { button, el, icons } from "./dom.js";

export class OverlayBar {
  /** `packed`: overlays that the writer put into the page, {name, data, id, units}. */
  constructor(plots, packed) {
    this.plots = plots;
    this.chips = el("span.chips");
    this.error = el("span.overlay-error", { role: "alert" });
    this.file = el("input", { type: "file", accept: ".csv,.txt,text/csv", hidden: true, onchange: () =>
      this.open(this.file.files[0]) });
    this.element = el("div.overlays", { role: "group", "aria-label": "Overlaid runs and measurements" },
      el("button.text", { type: "button", id: "overlay", onclick: () => this.file.click() }, "Overlay a CSV …"), this.file,
        this.chips, this.error);
    for (const { name, data, id, units } of packed) this.add(name, overlayTable(new Table(data, id, units)));
  }

  async open(file) {
    if (file === undefined) return;
    this.error.textContent = "";
    try {
      this.add(file.name.replace(/\.[a-z]+$/i, ""), parseCsv(await file.text(), file.name));
      this.plots.refresh();
    } catch (error) {
      this.error.textContent = error.message;
    }
    this.file.value = "";
  }

  add(name, table) {
    const { channels } = this.plots;
    if (channels.overlays.length >= 8) throw new Error("Eight overlays are all that can be told apart.");
    const overlay = channels.overlay(name, table);
    const shared = table.names.filter((column) => column !== table.time && channels.table.has(column)).length;
    const chip = el("span.chip",
      { title: `${table.rows} rows; ${shared} channels of the same name are drawn dashed; all are there as "${overlay.key}: name"` },
      `${overlay.key}: ${name}`, button(`Remove the overlay ${name}`, icons.close, () => {
        channels.dropOverlay(overlay);
        chip.remove();
        for (const plot of this.plots.plots) plot.names = plot.names.filter((one) => channels.has(one));
        this.plots.refresh();
      }, { class: "tiny" }));
    this.chips.append(chip);
  }
}

function overlayTable(table) {
  return new PlainTable(table.names, table.names.map((name) => table.column(name)), Object.fromEntries(table.units));
}
