// Draws a scene without WebGL, as polygons sorted by depth: onto a plain canvas where there are no 3-D graphics, and as SVG.
import * as THREE from "three";

/** Polygons and lines {depth, points: [x, y, ...], fill or stroke} of everything visible, farthest first. */
export function polygonsOf(scene, camera, width, height) {
  scene.updateMatrixWorld();
  camera.updateMatrixWorld();
  const toClip = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const job = { camera, toClip, toEye: camera.matrixWorldInverse, width, height, items: [], near: camera.isPerspectiveCamera
    ? camera.near : -Infinity };
  scene.traverseVisible((object) => {
    if (object.isInstancedMesh) instances(object, job);
    else if (object.isLine2) segments(object, job);
    else if (object.isLineSegments) lines(object, job);
    else if (object.isMesh && !object.material.isShadowMaterial) mesh(object, object.matrixWorld, job);
  });
  return job.items.sort((a, b) => a.layer - b.layer || b.depth - a.depth);
}

const light = new THREE.Vector3(0.35, 0.55, 0.75).normalize(); // fixed to the eye

/** A colour under light from behind the viewer's shoulder. */
function shade(color, normal, lit) {
  const bright = lit ? 0.62 + 0.42 * Math.max(0, normal.dot(light)) : 1;
  const part = (value) => Math.round(255 * Math.min(1, value * bright));
  return `rgb(${part(color.r)},${part(color.g)},${part(color.b)})`;
}

function instances(object, job) {
  const matrix = new THREE.Matrix4();
  for (let k = 0; k < object.count; ++k) {
    matrix.fromArray(object.instanceMatrix.array, 16 * k).premultiply(object.matrixWorld);
    mesh(object, matrix, job);
  }
}

function mesh(object, matrix, { toEye, camera, width, height, items, near }) {
  const { geometry, material } = object;
  const positions = geometry.attributes.position;
  const eye = new THREE.Matrix4().multiplyMatrices(toEye, matrix);
  const at = [];
  const screen = [];
  const v = new THREE.Vector3();
  for (let i = 0; i < positions.count; ++i) {
    v.fromBufferAttribute(positions, i).applyMatrix4(eye);
    at.push(v.clone());
    v.applyMatrix4(camera.projectionMatrix);
    screen.push([((v.x + 1) / 2) * width, ((1 - v.y) / 2) * height]);
  }
  const index = geometry.index;
  const count = index === null ? positions.count : index.count;
  const [ab, ac] = [new THREE.Vector3(), new THREE.Vector3()];
  const flipped = eye.determinant() < 0;
  for (let k = 0; k < count; k += 3) {
    let [i, j, m] = [k, k + 1, k + 2].map((n) => (index === null ? n : index.getX(n)));
    if (flipped) [j, m] = [m, j];
    const [a, b, c] = [at[i], at[j], at[m]];
    if (-a.z < near || -b.z < near || -c.z < near) continue;
    const area = (screen[j][0] - screen[i][0]) * (screen[m][1] - screen[i][1]) - (screen[m][0] - screen[i][0]) * (screen[j][1] - screen[i][1]);
    if (!(area < 0)) continue; // seen from behind, or a line
    const normal = ab.subVectors(b, a).cross(ac.subVectors(c, a)).normalize();
    items.push({
      layer: object.renderOrder, depth: -(a.z + b.z + c.z) / 3, points: [...screen[i], ...screen[j], ...screen[m]],
      fill: shade(material.color, normal, !material.isMeshBasicMaterial),
    });
  }
}

function line(job, from, to, stroke, lineWidth, layer, opacity) {
  const { toEye, camera, width, height, items, near } = job;
  const ends = [from, to].map((point) => point.applyMatrix4(toEye));
  if (ends.some(({ z }) => -z < near)) return;
  const depth = -(ends[0].z + ends[1].z) / 2;
  const points = ends.flatMap((point) => {
    point.applyMatrix4(camera.projectionMatrix);
    return [((point.x + 1) / 2) * width, ((1 - point.y) / 2) * height];
  });
  if (points.every(Number.isFinite)) items.push({ layer, depth, points, stroke, lineWidth, opacity });
}

/** Line2: thick lines from point to point. */
function segments(object, job) {
  const { instanceStart, instanceEnd } = object.geometry.attributes;
  const { diffuse, linewidth, opacity } = object.material.uniforms;
  const count = Math.min(instanceStart.count, object.geometry.maxInstancedCount ?? Infinity);
  const stroke = `#${diffuse.value.getHexString()}`;
  for (let k = 0; k < count; ++k) {
    const from = new THREE.Vector3().fromBufferAttribute(instanceStart, k).applyMatrix4(object.matrixWorld);
    const to = new THREE.Vector3().fromBufferAttribute(instanceEnd, k).applyMatrix4(object.matrixWorld);
    line(job, from, to, stroke, linewidth.value, 0, opacity.value);
  }
}

/** The grid, behind everything. */
function lines(object, job) {
  const { position, color } = object.geometry.attributes;
  for (let k = 0; k < position.count; k += 2) {
    const ends = [k, k + 1].map((i) => new THREE.Vector3().fromBufferAttribute(position, i).applyMatrix4(object.matrixWorld));
    const stroke = color ? `#${new THREE.Color().fromArray(color.array, 3 * k).getHexString()}` : "#dfe4e9";
    line(job, ...ends, stroke, 1, -1, 1);
  }
}

/** Stands in for THREE.WebGLRenderer. */
export class FlatRenderer {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    if (this.context === null) throw new Error("The canvas can be drawn on by nobody.");
    this.ratio = 1;
    this.shadowMap = {};
  }

  setPixelRatio(ratio) {
    this.ratio = ratio;
  }

  setSize(width, height) {
    Object.assign(this, { width, height });
    this.canvas.width = Math.round(width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
  }

  dispose() {}

  forceContextLoss() {}

  render(scene, camera) {
    const { context, ratio } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.lineJoin = "round";
    for (const { points, fill, stroke, lineWidth, opacity } of polygonsOf(scene, camera, this.width, this.height)) {
      context.beginPath();
      context.moveTo(points[0], points[1]);
      for (let k = 2; k < points.length; k += 2) context.lineTo(points[k], points[k + 1]);
      context.globalAlpha = opacity ?? 1;
      if (fill) {
        context.closePath();
        context.fillStyle = context.strokeStyle = fill;
        context.lineWidth = 0.6; // neighbours leave no gap
        context.fill();
      } else {
        context.strokeStyle = stroke;
        context.lineWidth = lineWidth;
      }
      context.stroke();
    }
    context.globalAlpha = 1;
  }
}

/** The scene as an SVG text; `more`: markup on top. */
export function svgOfScene(scene, camera, width, height, more = "") {
  const inside = (points) => points.some((value, k) => value > -50 && value < (k % 2 === 0 ? width : height) + 50);
  const text = (points) => points.map((value) => Number(value.toFixed(1))).join(" ");
  const shapes = polygonsOf(scene, camera, width, height).filter(({ points }) => inside(points)).map(({ points, fill, stroke,
    lineWidth, opacity }) =>
    fill ? `<polygon points="${text(points)}" fill="${fill}" stroke="${fill}"/>`
      : `<line x1="${points[0].toFixed(1)}" y1="${points[1].toFixed(1)}" x2="${points[2].toFixed(1)}" y2="${points[3].toFixed(1)}" stroke="${stroke}" ` +
        `stroke-width="${lineWidth}"${opacity < 1 ? ` opacity="${opacity}"` : ""}/>`);
  return [`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" stroke-width="0.5" stroke-linejoin="round" ` +
    'font-family="Helvetica, Arial, sans-serif">', `<rect width="${width}" height="${height}" fill="#ffffff"/>`, ...shapes, more,
      "</svg>", ""].join("\n");
}
