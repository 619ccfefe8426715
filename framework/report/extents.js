// How far a scene reaches over its whole motion: for the camera, the ground and the shadows.
import * as THREE from "three";

const corners = [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1], [-1, 1, 1], [-1, 1, -1], [-1, -1, 1], [-1, -1, -1]];

/** Half the size of the unit solids' boxes. */
const half = { box: [0.5, 0.5, 0.5], mesh: [0.5, 0.5, 0.5], sphere: [1, 1, 1], cylinder: [1, 1, 0.5] };

const place = new THREE.Vector3();

function extend(box, motion, body, local, at) {
  motion.point(body, local, at);
  if (Number.isFinite(at[0] + at[1] + at[2])) box.expandByPoint(place.set(at[0], at[1], at[2]));
}

/** Corners of a body's reach every so many rows: what the camera has to show. */
function silhouette(moving, motion, box) {
  const points = boxCorners(box);
  const boxes = new Map();
  for (const { body, corners: local } of moving) {
    if (!boxes.has(body)) boxes.set(body, new THREE.Box3());
    for (const corner of local) boxes.get(body).expandByPoint(new THREE.Vector3(...corner));
  }
  if (boxes.size > 200) return points;
  const at = new Float64Array(3);
  const seen = [];
  const samples = Math.min(motion.rows, 60);
  for (let k = 0; k < samples; ++k) {
    motion.setRow(samples === 1 ? 0 : Math.round((k * (motion.rows - 1)) / (samples - 1)));
    for (const [body, reach] of boxes) {
      for (const corner of boxCorners(reach)) {
        const v = new THREE.Vector3(...motion.point(body, corner.toArray(), at));
        if (Number.isFinite(v.lengthSq())) seen.push(v);
      }
    }
  }
  return seen.length > 0 ? seen : points;
}

function boxCorners({ min, max }) {
  return corners.map(([x, y, z]) => new THREE.Vector3(x > 0 ? max.x : min.x, y > 0 ? max.y : min.y, z > 0 ? max.z : min.z));
}

function cornersOf(piece) {
  const h = half[piece.solid];
  const m = piece.place;
  return corners.map((c) => [0, 4, 8].map((r) => m[r] * h[0] * c[0] + m[r + 1] * h[1] * c[1] + m[r + 2] * h[2] * c[2]
    + m[r + 3]));
}

/** Corners of the parts of floors and roads that are near what moves: a box shall be seen on its floor, not all of a street. */
function groundNear(scene, whole) {
  const near = whole.clone();
  if (near.isEmpty()) return [];
  near.expandByScalar(0.18 * near.getSize(new THREE.Vector3()).length());
  const parts = scene.pieces.filter((piece) => piece.body < 0 && !piece.marker).map((piece) =>
    new THREE.Box3().setFromPoints(cornersOf(piece).map((corner) => new THREE.Vector3(...corner))));
  for (const curve of scene.curves.filter(({ body, still }) => body < 0 && still)) {
    const points = curve.points.map((point) => new THREE.Vector3(...point)).filter((point) => near.containsPoint(point));
    if (points.length > 0) parts.push(new THREE.Box3().setFromPoints(points));
  }
  return parts.filter((box) => box.intersectsBox(near)).flatMap((box) => boxCorners(box.intersect(near)));
}

/** {center, radius} of a ball about everything that moves, `points` the camera has to show, `size` of the mechanism itself,
 *  `lowest` level along up (or towards the viewer's back in planar models). */
export function extentsOf(scene, motion) {
  const whole = new THREE.Box3();
  const start = new THREE.Box3();
  const at = new Float64Array(3);
  const moving = scene.pieces.filter((piece) => piece.body >= 0);
  const still = scene.pieces.filter((piece) => piece.body < 0 && piece.marker);
  const samples = Math.max(1, Math.min(motion.rows, 400, Math.ceil(12000 / (moving.length + 1))));
  const points = moving.map((piece) => ({ body: piece.body, corners: cornersOf(piece) }));
  const t = motion.times[0];
  for (let k = 0; k < samples; ++k) {
    if (motion.rows > 0) motion.setRow(samples === 1 ? 0 : Math.round((k * (motion.rows - 1)) / (samples - 1)));
    for (const { body, corners: local } of points) {
      for (const corner of local) {
        extend(whole, motion, body, corner, at);
        if (k === 0) extend(start, motion, body, corner, at);
      }
    }
  }
  for (const piece of still) for (const corner of cornersOf(piece)) extend(whole, motion, -1, corner, at);
  for (const link of scene.links) {
    for (let k = 0; k < 2; ++k) if (link.bodies[k] < 0) extend(whole, motion, -1, link.points[k], at);
  }
  const seen = whole.isEmpty() ? [] : silhouette(points, motion, whole);
  for (const piece of still) for (const corner of cornersOf(piece)) seen.push(new THREE.Vector3(...corner));
  motion.set(t);
  seen.push(...groundNear(scene, whole));
  for (const curve of scene.curves) {
    if (curve.body < 0 && curve.still) continue; // a road: however long, it is no part of the mechanism
    for (const point of curve.points) {
      for (const box of [whole, start]) extend(box, motion, curve.body, point, at);
      seen.push(new THREE.Vector3(...motion.point(curve.body, point, at)));
    }
  }
  if (whole.isEmpty()) whole.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  const center = whole.getCenter(new THREE.Vector3());
  const radius = Math.max(1e-6, whole.getSize(new THREE.Vector3()).length() / 2);
  const size = start.isEmpty() ? 2 * radius : Math.max(1e-6, start.getSize(new THREE.Vector3()).length());
  const normal = scene.planar ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(...scene.up);
  const depth = (v) => v.dot(normal);
  const lowest = Math.min(depth(whole.min), depth(whole.max)) - (scene.planar ? 0.03 * size : 0);
  const ownGround = scene.pieces.some((piece) => piece.body < 0 && !piece.marker);
  return { center, radius, size, lowest: lowest - (ownGround ? 0.02 * size : 0), points: seen };
}
