// The page of a run.
import { Arrangement, fromAddress } from "./arrangement.js";
import { Clock } from "./clock.js";
import { Table } from "./data.js";
import { el } from "./dom.js";
import { ModeShape, ModeTable } from "./modes.js";
import { Motion } from "./motion.js";
import { Plots } from "./plots.js";
import { Stage } from "./stage.js";
import { modelCards } from "./modelcards.js";
import { pill, summaryCards, warningBox } from "./summary.js";

const counted = (n, one, more) => `${n} ${n === 1 ? one : more}`;

function subtitle({ summary, integrator, formulation }) {
  const method = integrator && (formulation ? `${integrator.type} under ${formulation.type}` : integrator.type);
  const d = summary?.dimensions;
  const model = d && (d.bodies > 0 ? [counted(d.bodies, "body", "bodies"), counted(d.degrees_of_freedom, "degree of freedom",
    "degrees of freedom")].join(", ")
    : counted(d.coordinates, "coordinate", "coordinates"));
  return [model, method].filter(Boolean).join(" · ");
}

function clockOf(table, modes) {
  if (modes) return new Clock(0, 1);
  const times = table.rows > 0 ? table.column("t") : [0];
  return new Clock(times[0], times[times.length - 1]);
}

/** Bodies of which the results say nothing would stand in the air while the others go: they are not drawn. */
function hideUnknown(scene, motion) {
  const known = (body) => body < 0 || motion.columns[body] !== null;
  scene.pieces = scene.pieces.filter((piece) => known(piece.body));
  scene.curves = scene.curves.filter((curve) => known(curve.body));
  scene.links = scene.links.filter((link) => link.bodies.every(known));
}

/** `rows`: a table that goes on growing, in place of that of the page. */
export function runPage(content, app, rows) {
  const table = rows ?? new Table(content.data, "data", content.units);
  const { scene, modes } = content;
  const clock = clockOf(table, modes);
  if (table.rows > 0) content.times = [table.column("t")[0], table.column("t")[table.rows - 1]];
  const handle = { table, clock };
  const arranged = fromAddress();

  const parts = [];
  if (scene) {
    handle.motion = new Motion(scene, table);
    hideUnknown(scene, handle.motion);
    handle.stage = new Stage(scene, handle.motion, clock, content, table, arranged?.view ?? content.report?.view);
    parts.push(handle.stage);
  }
  if (modes) parts.push(modePart(content, handle));
  if (table.rows > 1) {
    handle.plots = new Plots(table, clock, content, arranged);
    parts.push(handle.plots);
  }
  const arrangement = new Arrangement(handle, content.report, arranged);
  handle.arrangement = arrangement;
  app.append(
    titleOf(content),
    ...[warningBox(content)].filter(Boolean), // of a model that has not run: what is known before
    el("main", { class: parts.length > 1 ? "two" : "one" }, parts.map((part) => part.element)),
    ...[bodeCard(content)].filter(Boolean),
    el("div.below", {}, modelCards(content), content.fresh ? [] : summaryCards(content)),
    el("footer", {}, el("span", {}, content.live ? `Served by ${content.generator}.`
      : `Written by ${content.generator}; everything is in this one file.`),
      arrangement.element));
  for (const part of parts) part.start();
  arrangement.apply(arranged);
  arrangement.start();
  handle.complete = Promise.resolve(handle.plots?.ready);
  handle.grow = (follow) => grow(handle, follow);
  handle.end = () => {
    clock.play(false);
    clock.listeners.length = 0;
    handle.stage?.end();
    handle.plots?.end();
  };
  return handle;
}

/** The table has new rows; `follow`: the animation goes with the last one. */
function grow(handle, follow) {
  const { table, clock, motion, stage, plots } = handle;
  const times = table.column("t");
  handle.growing = true; // what changes is nobody's arrangement
  clock.end = times[times.length - 1];
  motion?.attach(table);
  stage?.grow();
  plots?.grow();
  if (follow) clock.set(clock.end);
  handle.growing = false;
}

/** The Bode diagram of a frequency response: a picture, so that nothing in it runs. */
function bodeCard(content) {
  return content.bode && el("section.card", { "aria-label": "Frequency response" }, el("img", {
    src: `data:image/svg+xml;base64,${content.bode}`, style: "max-width: 100%",
    alt: "Bode diagram: magnitudes and phases over the frequency; frequency_response.csv has the numbers" }));
}

function titleOf(content) {
  const { author, text } = content.report ?? {};
  const made = [author, content.date && `run of ${content.date}`].filter(Boolean).join(" · ");
  return el("header.title", {}, el("div", {}, el("h1", {}, content.title), el("p", {}, subtitle(content)),
    made === "" ? null : el("p", {}, made), text ? el("p.free-text", {}, text) : null), content.live ? null
      : pill(content.summary?.status ?? "killed"));
}

/** The table of modes; the clock runs through one period over and over. */
function modePart(content, { motion, stage, clock }) {
  const { scene, modes } = content;
  const shape = new ModeShape(scene, new Table(modes.shapes, "mode_shapes"), motion);
  shape.amplitude = 1;
  motion.shape = shape;
  const part = new ModeTable(modes.table, (row) => {
    shape.choose(row, scene.size, scene.unit);
    clock.set(clock.t);
  }, (factor) => {
    shape.amplitude = factor;
    clock.set(clock.t);
  });
  part.start = () => {
    clock.loops = true;
    stage.loop.checked = true;
    clock.speed = 0.5;
    stage.speed.control.value = 0.5;
    clock.listeners.unshift(() => (shape.phase = 2 * Math.PI * clock.t));
    part.choose(0);
    if (!window.matchMedia("(prefers-reduced-motion: reduce)").matches) clock.play(true);
  };
  return part;
}
