// Forces and velocities as arrows, contacts as balls: from the columns of results.csv and the places of elements and bodies.
import * as THREE from "three";
import { rowBefore } from "./data.js";

const colors = { force: "#d1495b", velocity: "#2a8f57" };
const along = ["spring", "damper", "spring_damper", "actuator", "rod"]; // their scalar force is a tension between two points
const most = 600;

/** Columns of a vector: x, y and, where it is there, z. */
function vectorColumns(table, name, [x, y, z]) {
  if (!table.has(`${name}${x}`) || !table.has(`${name}${y}`)) return null;
  return [x, y, z].map((axis) => (table.has(`${name}${axis}`) ? table.column(`${name}${axis}`) : null));
}

/** A place in a body; ground is -1. */
const spot = (element, k) => (element.points[k] ? { body: element.bodies[k] ?? -1, at: element.points[k] } : null);

/** The direction of a push in space, at the motion's time. */
function wayOf({ body, direction }, motion) {
  const turned = new THREE.Vector3();
  if (body < 0) return () => turned.fromArray(direction);
  const [root, tip] = [new Float64Array(3), new Float64Array(3)];
  return () => {
    motion.point(body, [0, 0, 0], root);
    motion.point(body, direction, tip);
    return turned.set(tip[0] - root[0], tip[1] - root[1], tip[2] - root[2]);
  };
}

/** Height of a road's points over its course at x; null beside it. */
function heightAt(points, x, up) {
  for (let k = 0; k + 1 < points.length; ++k) {
    const [a, b] = [points[k], points[k + 1]];
    if (x >= a[0] && x <= b[0]) return b[0] > a[0] ? a[up] + ((x - a[0]) / (b[0] - a[0])) * (b[up] - a[up]) : a[up];
  }
  return null;
}

/** Contacts {gap(place)}: how far bodies are apart at the motion's time, NaN where nobody knows, and where they touch. */
function contactsOf(scene, motion) {
  return (scene.elements ?? []).filter(({ push }) => push).map((element) => {
    const last = spot(element, 1) ?? spot(element, 0);
    const plane = spot(element, 1) === null ? null : spot(element, 0);
    const road = scene.curves.find(({ still, element: name }) => still && name === element.name);
    const way = wayOf(element.push, motion);
    const root = new THREE.Vector3();
    const up = scene.planar ? 1 : 2;
    return (at) => {
      at.fromArray(motion.point(last.body, last.at, new Float64Array(3))).addScaledVector(way(), -element.push.reach);
      if (plane !== null) return at.clone().sub(root.fromArray(motion.point(plane.body, plane.at,
        new Float64Array(3)))).dot(way());
      const height = road === undefined ? null : heightAt(road.points, at.x, up);
      return height === null ? NaN : at.getComponent(up) - height;
    };
  });
}

/** Arrows {kind, name, from: spot, value(row, s, from) -> Vector3} of one element. */
function forcesOf(element, table, motion) {
  const place = (where, out) => out.fromArray(motion.point(where.body, where.at, new Float64Array(3)));
  const second = spot(element, 1) ?? spot(element, 0);
  if (second === null) return [];
  const vector = vectorColumns(table, `${element.name}.force`, [".x", ".y", ".z"]);
  if (vector !== null) return [{ kind: "force", name: element.name, from: second, columns: vector }];
  if (!table.has(`${element.name}.force`)) return [];
  const scalar = table.column(`${element.name}.force`);
  if (element.push) return [{ kind: "force", name: element.name, from: second, scalar, way: wayOf(element.push, motion),
    reach: element.push.reach }];
  const [a, b] = [spot(element, 0), spot(element, 1)];
  if (a === null || b === null || !along.includes(element.symbol)) return [];
  const [p, q] = [new THREE.Vector3(), new THREE.Vector3()];
  const towards = (from, to) => () => place(to, p).sub(place(from, q)).normalize();
  return [{ kind: "force", name: element.name, from: b, scalar, way: towards(b, a) }, { kind: "force", name: element.name,
    from: a, scalar, way: towards(a, b) }];
}

export function arrowSources(scene, table, motion) {
  const sources = (scene.elements ?? []).flatMap((element) => forcesOf(element, table, motion));
  const rates = (name, from) => {
    const columns = vectorColumns(table, name, [".vx", ".vy", ".vz"]);
    return columns === null ? [] : [{ kind: "velocity", name, from, columns }];
  };
  scene.bodies.forEach((body, i) => sources.push(...rates(body.name, { body: i, at: [0, 0, 0] })));
  for (const point of scene.points) if (point.body >= 0) sources.push(...rates(point.name, { body: point.body, at: point.at }));
  return sources;
}

/** Largest length of the vectors of each kind over the run. */
function largest(sources) {
  const found = { force: 0, velocity: 0 };
  for (const { kind, columns, scalar } of sources) {
    const rows = (scalar ?? columns[0]).length;
    const stride = Math.max(1, Math.floor(rows / 4000));
    for (let row = 0; row < rows; row += stride) {
      const size = scalar ? Math.abs(scalar[row]) : Math.hypot(...columns.map((column) => (column === null ? 0 : column[row])));
      if (size > found[kind]) found[kind] = size;
    }
  }
  return found;
}

class Kind {
  constructor(sources, color, thickness) {
    this.sources = sources.slice(0, most);
    this.thickness = thickness;
    const shaft = new THREE.CylinderBufferGeometry(1, 1, 1, 10);
    shaft.translate(0, 0.5, 0);
    const head = new THREE.ConeBufferGeometry(2.6, 1, 14);
    head.translate(0, 0.5, 0);
    const material = new THREE.MeshStandardMaterial({ color, emissive: color, emissiveIntensity: 0.45, roughness: 0.6,
      depthTest: false, transparent: true, opacity: 0.92 });
    this.meshes = [shaft, head].map((geometry) => new THREE.InstancedMesh(geometry, material, Math.max(1, this.sources.length)));
    this.group = new THREE.Group();
    for (const mesh of this.meshes) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 5;
      this.group.add(mesh);
    }
    this.group.visible = false;
  }

  set(k, from, vector) {
    const length = vector.length();
    const head = Math.min(6 * this.thickness, 0.6 * length);
    const turn = new THREE.Quaternion();
    if (length > 0) turn.setFromUnitVectors(new THREE.Vector3(0, 1, 0), vector.clone().divideScalar(length));
    const thick = length > 0 ? Math.min(this.thickness, 0.25 * length) : 0;
    const neck = from.clone().addScaledVector(vector, length > 0 ? (length - head) / length : 0);
    const tiny = 1e-12; // a matrix that can be turned over
    this.put(0, k, from, turn, thick || tiny, Math.max(tiny, length - head));
    this.put(1, k, neck, turn, thick || tiny, Math.max(tiny, head));
  }

  put(part, k, at, turn, thick, length) {
    const matrix = new THREE.Matrix4().compose(at, turn, new THREE.Vector3(thick, length, thick));
    matrix.toArray(this.meshes[part].instanceMatrix.array, 16 * k);
    this.meshes[part].instanceMatrix.needsUpdate = true;
  }
}

export class Arrows {
  constructor(scene, table, motion, size) {
    this.motion = motion;
    this.size = size;
    this.group = new THREE.Group();
    this.scale = 1;
    this.table = table;
    this.scene = scene;
    this.sources = table.rows > 0 ? arrowSources(scene, table, motion) : [];
    this.largest = largest(this.sources);
    this.kinds = {};
    for (const kind of ["force", "velocity"]) {
      const own = this.sources.filter((source) => source.kind === kind);
      const growing = table.append !== undefined;
      if (own.length === 0 || (this.largest[kind] === 0 && !growing)) continue;
      this.kinds[kind] = new Kind(own, colors[kind], 0.006 * size);
      this.group.add(this.kinds[kind].group);
    }
    this.addContacts();
  }

  /** The table has more rows: its columns are longer. */
  refresh() {
    const fresh = this.table.rows > 0 ? arrowSources(this.scene, this.table, this.motion) : [];
    fresh.forEach((source, k) => Object.assign(this.sources[k] ?? {}, { columns: source.columns, scalar: source.scalar }));
    Object.assign(this.largest, largest(this.sources));
  }

  addContacts() {
    this.contacts = contactsOf(this.scene, this.motion);
    const geometry = new THREE.SphereBufferGeometry(0.014 * this.size, 12, 8);
    const material = new THREE.MeshBasicMaterial({ color: "#e0a100", depthTest: false, transparent: true });
    this.balls = this.contacts.map(() => {
      const ball = new THREE.Mesh(geometry, material);
      ball.renderOrder = 6;
      this.group.add(ball);
      return ball;
    });
    this.showContacts = true;
  }

  has(kind) {
    return this.kinds[kind] !== undefined;
  }

  show(kind, shown) {
    if (this.has(kind)) this.kinds[kind].group.visible = shown;
  }

  /** Where an arrow begins and how long it is, in its own unit. */
  vector(source, row, s, from) {
    const { columns, scalar, way } = source;
    from.fromArray(this.motion.point(source.from.body, source.from.at, new Float64Array(3)));
    const at = (column) => {
      if (column === null) return 0;
      const next = column[Math.min(row + 1, column.length - 1)];
      return s > 0 ? column[row] + s * (next - column[row]) : column[row];
    };
    if (!scalar) return new THREE.Vector3(...columns.map(at));
    const direction = way().clone();
    if (source.reach) from.addScaledVector(direction, -source.reach);
    return direction.multiplyScalar(at(scalar));
  }

  /** The motion is at this time already. */
  update(t) {
    this.contacts.forEach((gap, k) => {
      this.balls[k].visible = gap(this.balls[k].position) <= 1e-6 * this.size && this.showContacts;
    });
    if (this.sources.length === 0) return;
    const times = this.motion.times;
    const row = rowBefore(times, t);
    const span = row + 1 < times.length ? times[row + 1] - times[row] : 0;
    const s = span > 0 ? Math.min(1, Math.max(0, (t - times[row]) / span)) : 0;
    const from = new THREE.Vector3();
    for (const [name, kind] of Object.entries(this.kinds)) {
      if (!kind.group.visible) continue;
      const scale = (0.28 * this.scale * this.size) / (this.largest[name] || 1);
      kind.sources.forEach((source, k) => {
        const vector = this.vector(source, row, s, from);
        if (!Number.isFinite(vector.lengthSq())) vector.set(0, 0, 0);
        kind.set(k, from, vector.multiplyScalar(scale));
      });
    }
  }
}
