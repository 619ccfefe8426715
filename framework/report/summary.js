// What happened, in cards: outcome, model, method, accuracy, work, warnings, events, plugins, run file.
import { card, el, table } from "./dom.js";
import { number } from "./format.js";

const words = {
  completed: "completed", failed: "failed", interrupted: "interrupted", "as expected": "as expected",
    "not as expected": "not as expected",
};

export function pill(status) {
  return el("span.pill", { class: `pill ${status.replace(/ /g, "-")}` }, words[status] ?? status);
}

function facts(title, pairs, ...more) {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return card(title, el("dl.facts", {}, shown.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])), ...more);
}

const seconds = (value) => (value === undefined || value === null ? null : `${number(value, 3)} s`);
const spoken = (name) => name.replace(/_s$/, "").replace(/_/g, " ");

/** "rtol 1e-8, atol 1e-10": the numbers and texts of a section, without its type. */
function settings(section) {
  return Object.entries(section ?? {})
    .filter(([key, value]) => key !== "type" && ["number", "string", "boolean"].includes(typeof value))
    .map(([key, value]) => `${key} ${typeof value === "number" ? number(value) : value}`).join(", ");
}

function methodCard(content) {
  const { integrator, formulation, summary } = content;
  return facts("Method", [
    ["integrator", integrator && [el("strong", {}, integrator.type), " ", el("small", {}, settings(integrator))]],
    ["formulation", formulation && [el("strong", {}, formulation.type), " ", el("small", {}, settings(formulation))]],
    ["linear solver", summary.linear_solver], ["note", summary.integrator_note],
  ]);
}

function outcomeCard({ summary, data, analysis, times }) {
  return facts("Outcome", [
    ["status", pill(summary.status)], ["message", summary.message], ["analysis", analysis],
    ["from, to", times && `${number(times[0])} s, ${number(times[1])} s`], ["rows", String(data.all_rows)],
  ]);
}

/** Where the search for an equilibrium ended. */
function equilibriumCard({ stable, equilibrium }) {
  const stability = { true: "stable", false: equilibrium.unstable > 0
    ? `unstable in ${equilibrium.unstable} direction${equilibrium.unstable === 1 ? "" : "s"}` : "neutral" };
  return facts("Equilibrium", [
    ["found", equilibrium.found ? "yes" : "no"], ["stability", stability[stable] ?? "not known"],
      ["method", spoken(equilibrium.method ?? "")],
    ["iterations", equilibrium.iterations], ["largest acceleration left", `${number(equilibrium.acceleration, 3)} m/s², rad/s²`],
    ["largest move of a coordinate", `${number(equilibrium.moved, 3)} m, rad`],
    ["potential energy", Number.isFinite(equilibrium.potential_energy) ? `${number(equilibrium.potential_energy)} J` : null],
    ["neutral directions", equilibrium.neutral > 0 ? String(equilibrium.neutral) : null],
  ]);
}

/** How far the run agrees with the same motion in another way. */
function verificationCard(v) {
  return facts("Verification", [
    ["verdict", v.verdict], ["digits that hold in all channels", v.digits === null ? null : number(v.digits, 2)],
    ["largest error, of the range", v.largest_error === null ? null : number(v.largest_error, 2)],
      ["compared with", v.compared_with],
    ["message", v.message],
  ]);
}

function counters(object) {
  return Object.entries(object ?? {}).filter(([, value]) => value !== 0).map(([name, value]) => [spoken(name), value === null
    ? "–" : String(value)]);
}

function measures(max) {
  const units = {
    constraint_position: "m, rad", constraint_velocity: "m/s, rad/s", constraint_acceleration: "m/s², rad/s²",
    multiplier_residual: "", energy_drift: "J",
  };
  return Object.entries(max ?? {}).map(([name, value]) => [spoken(name), `${number(value, 3)} ${units[name] ?? ""}`]);
}

/** For those who look into the method: folded. */
function numerics({ max, statistics, timing }) {
  const times = Object.entries(timing ?? {}).map(([name, value]) => [`${spoken(name)} time`, seconds(value)]);
  return el("details.card", {}, el("summary", {}, "Errors and work"), el("div.cards", {}, [
    facts("Largest errors", measures(max)), facts("Work", [...counters(statistics), ...times])]));
}

function listCard(title, items, kind) {
  return items.length === 0 ? null : card(title, el(`ul.${kind}`, {}, items.map((item) => el("li", {}, item))));
}

function redundantTexts(redundant) {
  return (redundant ?? []).map((set) =>
    `Rows of ${set.elements.join(", ")} repeat each other (${set.rows}); ` +
    (set.reactions_unique ? "the reactions are unique." : "their reactions are not unique."));
}

/** Warnings above everything else, the other cards below. */
export function warningBox(content) {
  const { summary, data } = content;
  const warnings = [];
  if (summary === null) warnings.push("There is no summary.json: the run was killed before it ended. These are the rows it had written.");
  else if (summary.status !== "completed" && summary.message) warnings.push(summary.message);
  if (data.cut) warnings.push("results.csv ends within a row, which was left out.");
  warnings.push(...(summary?.warnings ?? []));
  if (!warnings.some((text) => text.includes("redundant"))) warnings.push(...redundantTexts(summary?.redundant));
  if (warnings.length === 0) return null;
  const box = listCard(warnings.length === 1 ? "Warning" : "Warnings", warnings, "warnings");
  box.classList.add("warning");
  return box;
}

export function summaryCards(content) {
  const { summary, data } = content;
  const cards = [];
  if (summary !== null) {
    const d = summary.dimensions;
    cards.push(outcomeCard(content));
    if (summary.equilibrium) cards.push(equilibriumCard(summary));
    if (summary.verification) cards.push(verificationCard(summary.verification));
    cards.push(facts("Model", [
      ["bodies", d.bodies > 0 ? String(d.bodies) : null], ["coordinates", String(d.coordinates)],
        ["constraints", String(d.constraints)],
      ["redundant", d.redundant > 0 ? String(d.redundant) : null], ["degrees of freedom", String(d.degrees_of_freedom)],
      ["independent", (summary.independent ?? []).join(", ")],
    ]), methodCard(content));
  }
  const wide = [];
  if (content.events && content.events.length > 1) {
    const [header, ...rows] = content.events;
    wide.push(card("Events", table(header, rows.map((row) => row.map((value, i) => (i === 0 ? number(Number(value), 6)
      : value))), { label: "Events" })));
  }
  if (summary !== null) wide.push(numerics(summary));
  wide.push(card("About the numbers", el("p", {}, data.note)));
  if (summary !== null) {
    wide.push(el("details.card", {}, el("summary", {}, "Plugins"),
      table(["id", "version", "build", "path"], summary.plugins.map((p) => [p.id, p.version, p.build_id.slice(0, 12), p.path]),
        { label: "Plugins" })));
  }
  if (content.run_file) {
    wide.push(el("details.card", {}, el("summary", {}, "Run file, as resolved"), el("pre", { tabindex: 0 }, content.run_file)));
  }
  return [el("div.cards", {}, cards), ...wide];
}
