// Pointer and keys on a diagram over time. Click: the animation goes there. Drag: zoom to the band. Double click: everything.
import { rowBefore } from "./data.js";

function timeAt(plot, event) {
  const box = plot.canvas.getBoundingClientRect();
  const { left, right } = plot.chart.chartArea;
  return plot.chart.scales.x.getValueForPixel(Math.min(right, Math.max(left, event.clientX - box.left)));
}

function showBand(plot, a, b) {
  const box = plot.canvas.getBoundingClientRect();
  const { left, right, top, bottom } = plot.chart.chartArea;
  const clamp = (x) => Math.min(right, Math.max(left, x - box.left));
  const [from, to] = [clamp(Math.min(a, b)), clamp(Math.max(a, b))];
  plot.band.hidden = to - from < 3;
  Object.assign(plot.band.style, { left: `${from}px`, width: `${to - from}px`, top: `${top}px`, height: `${bottom - top}px` });
}

function key(plot, event) {
  const { owner } = plot;
  const times = owner.table.column("t");
  const actions = {
    "+": () => owner.scale(0.5), "=": () => owner.scale(0.5), "-": () => owner.scale(2), 0: () => owner.zoomOut(),
    ArrowRight: () => owner.clock.set(times[Math.min(times.length - 1, rowBefore(times, owner.clock.t) + 1)]),
    ArrowLeft: () => owner.clock.set(times[Math.max(0, rowBefore(times, owner.clock.t - 1e-12 * Math.abs(owner.clock.t)))]),
    Home: () => owner.clock.set(times[0]), End: () => owner.clock.set(times[times.length - 1]),
  };
  if (actions[event.key] === undefined) return;
  event.preventDefault();
  actions[event.key]();
}

export function listenTo(plot) {
  const { owner, frame } = plot;
  let begin = null;
  frame.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !plot.overTime) return;
    begin = { x: event.clientX, t: timeAt(plot, event) };
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", (event) => {
    if (!plot.overTime) return;
    plot.hover = timeAt(plot, event);
    if (begin !== null) showBand(plot, begin.x, event.clientX);
    plot.moveCursor();
  });
  frame.addEventListener("pointerleave", () => {
    plot.hover = null;
    plot.moveCursor();
  });
  frame.addEventListener("pointerup", (event) => {
    if (begin === null) return;
    const [from, to] = [begin.t, timeAt(plot, event)].sort((a, b) => a - b);
    const dragged = Math.abs(event.clientX - begin.x) > 5;
    begin = null;
    plot.band.hidden = true;
    if (dragged && to > from) owner.zoom(from, to);
    else owner.clock.set(to);
  });
  frame.addEventListener("dblclick", () => owner.zoomOut());
  frame.addEventListener("wheel", (event) => {
    if ((!event.ctrlKey && !event.shiftKey) || !plot.overTime) return;
    event.preventDefault();
    owner.scale(Math.exp((event.deltaY || event.deltaX) / 400), timeAt(plot, event));
  }, { passive: false });
  frame.addEventListener("keydown", (event) => key(plot, event));
}
