// What our diagrams have in common: colours, type, grid, and only those parts of Chart.js that they use.
import { Chart, Filler, LineController, LineElement, LinearScale, LogarithmicScale, PointElement, ScatterController,
  Tooltip } from "chart.js";
import { number } from "./format.js";

Chart.register(Filler, LineController, LineElement, LinearScale, LogarithmicScale, PointElement, ScatterController, Tooltip);
Chart.defaults.font.family = 'Inter, "Source Sans 3", "Noto Sans", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
Chart.defaults.font.size = 12;
Chart.defaults.color = "#55606c";
Chart.defaults.animation = false;

export const colors = ["#3566a8", "#d1495b", "#2a8f57", "#c98b1b", "#7a4fa3", "#2496a6", "#6b7785", "#9c5a3c"];

function isDecade(value) {
  const exponent = Math.log10(value);
  return Math.abs(exponent - Math.round(exponent)) < 1e-9;
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

export function powerOfTen(value) {
  const exponent = Math.round(Math.log10(value));
  if (exponent >= -2 && exponent <= 3) return number(value);
  const digits = String(Math.abs(exponent)).replace(/\d/g, (d) => superscripts[d]);
  return `10${exponent < 0 ? "⁻" : ""}${digits}`;
}

const leads = [1, 2, 2.5, 5];

/** Of the ticks of a flat diagram those that are multiples of a round number: Chart.js leaves out every second one, from the
 *  lowest on, and so may label -50, 50 and 150. */
function roundTicks(scale) {
  const { ticks, height } = scale;
  if (scale.isHorizontal() || ticks.length < 4) return;
  const step = ticks[1].value - ticks[0].value;
  const room = 26 * (ticks.length - 1) / height; // steps that a label takes
  const isRound = (factor) => leads.some((lead) => Math.abs(Math.log10(step * factor / lead) % 1) < 1e-6);
  const factor = [1, 2, 2.5, 4, 5, 10, 20].find((f) => f >= room && isRound(f));
  if (factor === undefined) return;
  const whole = (value) => Math.abs(value / (step * factor) - Math.round(value / (step * factor))) < 1e-6;
  const kept = ticks.filter(({ value }) => whole(value));
  if (kept.length > 1) scale.ticks = kept;
}

/** An axis: `log` or linear, with its title. Log axes have labels at decades, or, within a decade, at 1, 2 and 5. */
export function axis(title, log, more = {}) {
  const ticks = { maxRotation: 0, autoSkipPadding: 14, padding: 4 };
  if (log) {
    ticks.callback = function label(value) {
      const wide = this.max / this.min > 50;
      if (isDecade(value)) return powerOfTen(value);
      const lead = Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
      return !wide && (lead === 2 || lead === 5 || this.max / this.min < 5) ? number(value, 2) : null;
    };
  } else {
    ticks.callback = (value) => number(value, 6);
  }
  return {
    type: log ? "logarithmic" : "linear",
    afterBuildTicks: log ? undefined : roundTicks,
    title: { display: title !== "", text: title, color: "#3b454f" },
    grid: {
      color: (context) => (log && context.tick && !isDecade(context.tick.value) ? "#f1f3f5" : "#e3e7eb"),
      borderColor: "#aab3bc", tickColor: "#aab3bc", tickLength: 4,
    },
    ticks,
    ...more,
  };
}

export { Chart };
