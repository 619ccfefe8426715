// A diagram as a picture (PNG, SVG) or as its numbers (CSV).
import { menu } from "./dom.js";
import { fileName, save, xml } from "./save.js";

const font = "Inter, Helvetica, Arial, sans-serif";
const nameOf = (plot) => fileName(plot.titleInput.value
  || `${plot.names.join(" ")} over ${plot.isSpectrum ? "frequency" : plot.x}`);
const headHeight = (plot) => 12 + (plot.titleInput.value ? 22 : 0) + 18 * plot.shown.length;

/** The title and the legend above the diagram. */
function headLines(plot) {
  const { channels } = plot.owner;
  return plot.shown.map(({ name, color, dash }, i) => ({
    color, dash, text: channels.label(name) + (channels.unit(name) === "" ? "" : ` (${channels.unit(name)})`),
      y: headHeight(plot) - 18 * (plot.shown.length - i) + 12,
  }));
}

function png(plot) {
  const ratio = plot.chart.currentDevicePixelRatio;
  const top = headHeight(plot);
  const canvas = document.createElement("canvas");
  canvas.width = plot.canvas.width;
  canvas.height = plot.canvas.height + Math.round(top * ratio);
  const context = canvas.getContext("2d");
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(plot.canvas, 0, Math.round(top * ratio));
  context.scale(ratio, ratio);
  context.fillStyle = "#1d252d";
  context.font = `600 14px ${font}`;
  if (plot.titleInput.value) context.fillText(plot.titleInput.value, 12, 22);
  context.font = `12px ${font}`;
  for (const { color, dash, text, y } of headLines(plot)) {
    context.strokeStyle = color;
    context.lineWidth = 2;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(12, y - 4);
    context.lineTo(34, y - 4);
    context.stroke();
    context.fillText(text, 40, y);
  }
  canvas.toBlob((blob) => save(`${nameOf(plot)}.png`, blob, "image/png"));
}

const place = (value) => Number(value.toFixed(2));

/** Runs of finite points as polylines; what is far outside stays at the edge of what readers of SVG can take. */
function polylines({ data, borderColor, borderDash, borderWidth, showLine }, { x, y }) {
  if (!showLine) return [];
  const pieces = [[]];
  for (const point of data) {
    if (Number.isFinite(point.x)
      && Number.isFinite(point.y)) pieces[pieces.length - 1].push(`${place(x.getPixelForValue(point.x))},${place(y.getPixelForValue(point.y))}`);
    else if (pieces[pieces.length - 1].length > 0) pieces.push([]);
  }
  const dash = (borderDash ?? []).length > 0 ? ` stroke-dasharray="${borderDash.join(" ")}"` : "";
  return pieces.filter((piece) => piece.length > 1).map((piece) =>
    `<polyline points="${piece.join(" ")}" fill="none" stroke="${borderColor}" stroke-width="${borderWidth ?? 1.6}" stroke-linejoin="round"${dash}/>`);
}

function ticksOf(scale, horizontal, { left, right, top, bottom }) {
  return scale.ticks.flatMap((tick, i) => {
    const at = place(scale.getPixelForTick(i));
    const label = tick.label === null || tick.label === undefined ? "" : xml(String(tick.label));
    return horizontal
      ? [`<line x1="${at}" x2="${at}" y1="${top}" y2="${bottom}" stroke="#e3e7eb"/>`,
        `<text x="${at}" y="${bottom + 16}" text-anchor="middle">${label}</text>`]
      : [`<line x1="${left}" x2="${right}" y1="${at}" y2="${at}" stroke="#e3e7eb"/>`,
        `<text x="${left - 7}" y="${at + 4}" text-anchor="end">${label}</text>`];
  });
}

export function svgOf(plot) {
  const { chart } = plot;
  const { x, y } = chart.scales;
  const area = Object.fromEntries(["left", "right", "top", "bottom"].map((side) => [side, place(chart.chartArea[side])]));
  const top = headHeight(plot);
  const [width, height] = [Math.round(chart.width), Math.round(chart.height + top)];
  const middle = [(area.left + area.right) / 2, (area.top + area.bottom) / 2];
  const legend = headLines(plot).map((line) =>
    `<line x1="12" x2="34" y1="${line.y - 4}" y2="${line.y - 4}" stroke="${line.color}" stroke-width="2"${line.dash.length > 0 ? ` stroke-dasharray="${line.dash.join(" ")}"` : ""}/>` +
    `<text x="40" y="${line.y}">${xml(line.text)}</text>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${font}" font-size="12" fill="#3b454f">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    plot.titleInput.value ? `<text x="12" y="22" font-size="14" font-weight="600">${xml(plot.titleInput.value)}</text>` : "",
    ...legend, `<g transform="translate(0 ${top})">`,
      `<clipPath id="area"><rect x="${area.left}" y="${area.top}" width="${area.right - area.left}" height="${area.bottom - area.top}"/></clipPath>`,
    ...ticksOf(x, true, area), ...ticksOf(y, false, area),
    `<path d="M${area.left} ${area.top}V${area.bottom}H${area.right}" fill="none" stroke="#aab3bc"/>`,
      '<g clip-path="url(#area)">',
    ...chart.data.datasets.flatMap((dataset) => polylines(dataset, { x, y })), "</g>",
    `<text x="${middle[0]}" y="${chart.height - 4}" text-anchor="middle">${xml(chart.options.scales.x.title.text)}</text>`,
    `<text transform="translate(12 ${middle[1]}) rotate(-90)" text-anchor="middle">${xml(chart.options.scales.y.title.text)}</text>`, "</g>", "</svg>", "",
  ].join("\n");
}

/** Every row of the visible time with all digits; of spectra the points drawn. Angles in the unit shown. */
export function csvOf(plot) {
  const { channels, from, to } = plot.owner;
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const headed = (name) => quoted(channels.unit(name) === "" ? name : `${name} (${channels.unit(name)})`);
  if (plot.isSpectrum) {
    const sets = plot.chart.data.datasets;
    const rows = [...new Set(sets.flatMap(({ data }) => data.map(({ x }) => x)))].sort((a, b) => a - b);
    const maps = sets.map(({ data }) => new Map(data.map(({ x, y }) => [x, y])));
    return [["frequency (Hz)", ...plot.shown.map(({ name }) => headed(name))].join(","),
      ...rows.map((x) => [x, ...maps.map((map) => map.get(x) ?? "")].join(",")), ""].join("\n");
  }
  const groups = new Map(); // overlaid tables have times of their own: blocks side by side
  for (const { name } of plot.shown) {
    const { table } = channels.find(name);
    if (!groups.has(table)) groups.set(table, []);
    groups.get(table).push(name);
  }
  const blocks = [...groups].map(([table, names]) => {
    const times = channels.times(names[0]);
    const xs = plot.x !== "t" && plot.xFor(names[0]) !== null ? [plot.xFor(names[0])] : [];
    const columns = [...xs, ...names].map((name) => channels.values(name));
    const rows = [];
    for (let row = 0; row < times.length; ++row) {
      if (times[row] >= from && times[row] <= to) rows.push([times[row], ...columns.map((values) => values[row])]);
    }
    const key = channels.overlays.find((overlay) => overlay.table === table)?.key;
    return { header: [key ? `${key}: t (s)` : "t (s)", ...[...xs, ...names].map(headed)], rows };
  });
  const length = Math.max(...blocks.map(({ rows }) => rows.length));
  const lines = [blocks.flatMap(({ header }) => header).join(",")];
  for (let row = 0; row < length; ++row) lines.push(blocks.flatMap(({ header, rows }) => rows[row] ?? header.map(() =>
    "")).join(","));
  return lines.join("\n") + "\n";
}

export function savers(plot) {
  const some = (action) => () => plot.names.length > 0 && action();
  return menu("Save", "Save this diagram", [
    ["Picture (PNG)", some(() => png(plot))],
    ["Drawing (SVG)", some(() => save(`${nameOf(plot)}.svg`, svgOf(plot), "image/svg+xml"))],
    ["Numbers (CSV)", some(() => save(`${nameOf(plot)}.csv`, csvOf(plot), "text/csv"))],
  ]);
}
