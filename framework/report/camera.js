// The eye that looks at the scene: a camera to orbit, standard views, perspective or parallel projection.
import * as THREE from "three";
import { OrbitControls } from "three-orbit";

/** A horizontal direction: `a` to the right, `b` to the front, for a scene's up. */
export function sideways(up, a, b) {
  const front = Math.abs(up.z) > 0.5 ? new THREE.Vector3(0, -1, 0) : new THREE.Vector3(0, 0, 1);
  const right = new THREE.Vector3().crossVectors(up, front).normalize();
  return right.multiplyScalar(a).addScaledVector(front, b);
}

export const standardViews = ["oblique", "front", "back", "left", "right", "top", "bottom"];

export class Eye {
  /** `changed` is called when the picture has to be drawn again. `margin`: around what is shown at first, 1 for none. */
  constructor(canvas, scene, extents, margin, changed) {
    this.extents = extents;
    this.margin = margin;
    this.planar = scene.planar;
    this.up = scene.planar ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(...scene.up);
    this.changed = changed;
    this.standard = scene.planar ? "front" : "oblique";
    this.parallel = false;
    const { radius, size } = extents;
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01 * size, 60 * radius);
    this.camera.up.copy(this.up);
    this.flat = new THREE.OrthographicCamera(-1, 1, 1, -1, -60 * radius, 60 * radius);
    this.flat.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableKeys = false; // the arrow keys are handled where the canvas has the focus
    this.controls.screenSpacePanning = true;
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => (this.standard = ""));
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  /** What to render with. The parallel camera sees at its target as much as the other. */
  get active() {
    this.camera.updateMatrixWorld();
    if (!this.parallel) return this.camera;
    const { flat, camera } = this;
    const half = camera.position.distanceTo(this.controls.target) * this.opening().over;
    flat.position.copy(camera.position);
    flat.quaternion.copy(camera.quaternion);
    Object.assign(flat, { left: -half * camera.aspect, right: half * camera.aspect, top: half, bottom: -half });
    flat.updateProjectionMatrix();
    flat.updateMatrixWorld();
    return flat;
  }

  direction(view) {
    const { up } = this;
    const of = {
      front: () => sideways(up, 0, 1), back: () => sideways(up, 0, -1), right: () => sideways(up, 1, 0), left: () =>
        sideways(up, -1, 0),
      top: () => up.clone().addScaledVector(sideways(up, 0, 1), 1e-4), bottom: () =>
        up.clone().negate().addScaledVector(sideways(up, 0, 1), 1e-4),
    };
    return (of[view] ?? (() => up.clone().multiplyScalar(0.42).add(sideways(up, 0.55, 1))))().normalize();
  }

  /** The camera where it sees everything from a standard view; `followed`: a point to see with its surroundings instead. */
  home(followed, view = this.standard || (this.planar ? "front" : "oblique")) {
    const { center, radius, size, points } = this.extents;
    this.standard = view;
    const direction = this.direction(view);
    const target = followed ?? center;
    const distance = followed === null ? this.distanceFor(points, target, direction)
      : this.distanceAround(Math.min(radius, 0.55 * size));
    this.place(target.clone().addScaledVector(direction, distance), target);
  }

  place(position, target) {
    this.camera.position.copy(position);
    this.controls.target.copy(target);
    this.controls.update();
    this.changed();
  }

  setParallel(on) {
    this.parallel = on;
    this.changed();
  }

  /** Tangents of half the angles of view. */
  opening() {
    const over = Math.tan((this.camera.fov * Math.PI) / 360);
    return { over, across: over * this.camera.aspect };
  }

  /** How far away a ball fits into the view. */
  distanceAround(reach) {
    const { over, across } = this.opening();
    return (1.05 * reach) / Math.sin(Math.atan(Math.min(over, across)));
  }

  /** How far from `target`, against `direction`, all points are in view. */
  distanceFor(points, target, direction) {
    const { over, across } = this.opening();
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const top = new THREE.Vector3().crossVectors(direction, right);
    const v = new THREE.Vector3();
    let distance = 0;
    for (const point of points) {
      v.copy(point).sub(target);
      const reach = Math.max(Math.abs(v.dot(right)) / across, Math.abs(v.dot(top)) / over);
      distance = Math.max(distance, v.dot(direction) + this.margin * reach);
    }
    return distance || this.distanceAround(this.extents.radius);
  }

  key(event) {
    const turn = 0.08;
    const moves = { ArrowLeft: [turn, 0], ArrowRight: [-turn, 0], ArrowUp: [0, turn], ArrowDown: [0, -turn] };
    const factor = { "+": 1 / 1.15, "=": 1 / 1.15, "-": 1.15 }[event.key];
    if (!(event.key in moves) && factor === undefined) return;
    event.preventDefault();
    const offset = this.camera.position.clone().sub(this.controls.target);
    if (factor !== undefined) {
      offset.multiplyScalar(factor);
    } else {
      this.standard = "";
      const [around, over] = moves[event.key];
      offset.applyAxisAngle(this.camera.up, around);
      const right = new THREE.Vector3().crossVectors(this.camera.up, offset).normalize();
      const angle = offset.angleTo(this.camera.up) + over;
      if (angle > 0.05 && angle < Math.PI - 0.05) offset.applyAxisAngle(right, over);
    }
    this.place(this.controls.target.clone().add(offset), this.controls.target.clone());
  }

  /** The target moves, and the camera with it. */
  goWith(target) {
    this.camera.position.add(target).sub(this.controls.target);
    this.controls.target.copy(target);
  }

  setAspect(aspect) {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  /** Position and target, six numbers, for an address; null while a standard view is shown. */
  get spot() {
    if (this.standard !== "") return null;
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()].map((value) => Number(value.toPrecision(5)));
  }

  set spot(numbers) {
    this.standard = "";
    this.place(new THREE.Vector3(...numbers.slice(0, 3)), new THREE.Vector3(...numbers.slice(3)));
  }
}
