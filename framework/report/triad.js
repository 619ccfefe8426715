// The axes of space in a corner of the view: where x, y and z point.
import * as THREE from "three";

const axes = [["x", "#b8410f", new THREE.Vector3(1, 0, 0)], ["y", "#2a8f57", new THREE.Vector3(0, 1, 0)],
  ["z", "#3566a8", new THREE.Vector3(0, 0, 1)]];
export const triadSize = 84;

/** Axes [name, colour, x, y] from the middle, farthest first. */
function directions(camera) {
  const turn = camera.quaternion.clone().inverse();
  return axes.map(([name, color, axis]) => [name, color, axis.clone().applyQuaternion(turn)]).sort((a, b) => a[2].z - b[2].z)
    .map(([name, color, v]) => [name, color, 27 * v.x, -27 * v.y]);
}

/** Lines and letters as SVG, about a middle at (42, 42). */
export function triadMarkup(camera) {
  return directions(camera).map(([name, color, x, y]) => {
    const [tx, ty] = [42 + 1.32 * x, 42 + 1.32 * y];
    return `<line x1="42" y1="42" x2="${(42 + x).toFixed(1)}" y2="${(42 + y).toFixed(1)}" stroke="${color}" stroke-width="2.5" stroke-linecap="round"/>` +
      `<text x="${tx.toFixed(1)}" y="${(ty + 4).toFixed(1)}" fill="${color}" font-size="12" font-weight="700" text-anchor="middle">${name}</text>`;
  }).join("");
}

export class Triad {
  constructor() {
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.setAttribute("class", "triad");
    this.svg.setAttribute("viewBox", `0 0 ${triadSize} ${triadSize}`);
    this.svg.setAttribute("aria-hidden", "true");
  }

  update(camera) {
    this.svg.innerHTML = triadMarkup(camera);
  }

  /** The same on a canvas, its corner at (x, y). */
  static paint(context, camera, x, y, ratio) {
    context.save();
    context.translate(x, y);
    context.scale(ratio, ratio);
    context.lineCap = "round";
    context.lineWidth = 2.5;
    context.font = "700 12px Helvetica, Arial, sans-serif";
    context.textAlign = "center";
    for (const [name, color, dx, dy] of directions(camera)) {
      context.strokeStyle = context.fillStyle = color;
      context.beginPath();
      context.moveTo(42, 42);
      context.lineTo(42 + dx, 42 + dy);
      context.stroke();
      context.fillText(name, 42 + 1.32 * dx, 46 + 1.32 * dy);
    }
    context.restore();
  }
}
