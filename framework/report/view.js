// The scene in three dimensions: bodies, links, curves, ground, traces; a camera to orbit, and to follow a body with.
import * as THREE from "three";
import { Line2 } from "three-lines/Line2.js";
import { LineGeometry } from "three-lines/LineGeometry.js";
import { LineMaterial } from "three-lines/LineMaterial.js";
import { Arrows } from "./arrows.js";
import { Eye, sideways } from "./camera.js";
import { extentsOf } from "./extents.js";
import { Links } from "./links.js";
import { FlatRenderer } from "./painter.js";
import { Solids } from "./solids.js";
import { Triad } from "./triad.js";
import { niceBelow } from "./format.js";

export const traceColors = ["#d1495b", "#3566a8", "#2a8f57", "#c98b1b", "#7a4fa3"];

export class View {
  /** `motion`: where bodies are; `table`: of the arrows' numbers; `margin`: around what the camera shows at first. */
  constructor(canvas, scene, motion, table, margin) {
    this.canvas = canvas;
    this.data = scene;
    this.motion = motion;
    this.traces = [];
    this.time = motion.times[0];
    this.followed = null;
    this.extents = extentsOf(scene, motion);
    this.makeRenderer();
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.scene = new THREE.Scene();
    this.lineMaterials = [];
    this.up = new THREE.Vector3(...scene.up);
    this.addBodies();
    this.addGround();
    this.addLights();
    this.arrows = new Arrows(scene, table, motion, Math.min(this.extents.size, 2 * this.extents.radius));
    this.scene.add(this.arrows.group);
    this.triad = new Triad();
    canvas.parentElement.append(this.triad.svg);
    this.eye = new Eye(canvas, scene, this.extents, margin, () => this.draw());
    this.home();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas.parentElement);
    this.resize();
  }

  /** Where there is no WebGL the same scene is painted with plain polygons. */
  makeRenderer() {
    const { canvas } = this;
    try {
      if (new URLSearchParams(window.location.search).has("flat")) throw new Error("Flat pictures were asked for.");
      this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    } catch (error) {
      console.info(error.message);
      this.flat = true;
      this.renderer = new FlatRenderer(canvas);
    }
  }

  /** More rows: arrows of new numbers, paths that go on, and a camera that has them all in sight until somebody moves it. */
  grow() {
    this.arrows.refresh();
    for (const trace of this.traces) this.retrace(trace);
    const before = this.extents.radius;
    const now = extentsOf(this.data, this.motion);
    if (this.eye.standard === "" || this.followed !== null) return;
    if (now.radius < 1.04 * before) return;
    this.extents.points = now.points;
    this.extents.center.copy(now.center);
    this.extents.radius = now.radius;
    this.eye.camera.far = Math.max(this.eye.camera.far, 60 * now.radius);
    this.eye.camera.updateProjectionMatrix();
    this.home();
  }

  /** The canvas can be used by another view afterwards. */
  end() {
    this.ended = true;
    this.observer.disconnect();
    this.eye.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  addBodies() {
    this.solids = new Solids(this.data.pieces, this.data.meshes, 0.0025 * Math.min(this.extents.radius, 2.2 * this.extents.size));
    this.links = new Links(this.data.links, this.motion);
    this.curves = this.data.curves.map((curve) => {
      const line = this.line(curve.points.flat(), curve.color, 1.6);
      line.matrixAutoUpdate = false;
      return { line, body: curve.body, points: curve.points };
    });
    this.scene.add(this.solids.bodies, this.solids.markers, this.links.group);
  }

  line(points, color, width) {
    const geometry = new LineGeometry();
    geometry.setPositions(points);
    const material = new LineMaterial({ color: new THREE.Color(color).getHex(), linewidth: width });
    this.lineMaterials.push(material);
    if (this.width) material.resolution.set(this.width, this.height);
    const line = new Line2(geometry, material);
    line.frustumCulled = false;
    this.scene.add(line);
    return line;
  }

  /** A grid under spatial models, behind planar ones, that takes the shadows. */
  addGround() {
    const { planar } = this.data;
    const normal = planar ? new THREE.Vector3(0, 0, 1) : this.up;
    const { center, radius, lowest } = this.extents;
    const cell = niceBelow(Math.min(radius, 1.5 * this.extents.size) / 3);
    const cells = 2 * Math.min(100, Math.ceil((1.35 * radius) / cell) + 1);
    const grid = new THREE.GridHelper(cells * cell, cells, "#c3cad2", "#dfe4e9");
    const plane = new THREE.Mesh(new THREE.PlaneBufferGeometry(40 * radius, 40 * radius),
      new THREE.ShadowMaterial({ opacity: 0.13 }));
    plane.receiveShadow = true;
    plane.rotation.x = -Math.PI / 2;
    plane.position.y = -0.002 * this.extents.size;
    this.ground = new THREE.Group();
    this.ground.add(grid, plane);
    this.ground.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), normal);
    const foot = center.clone().addScaledVector(normal, lowest - center.dot(normal));
    this.ground.position.copy(foot);
    // Lines of the grid at whole multiples of the cell.
    for (const axis of ["x", "y", "z"]) {
      if (Math.abs(normal[axis]) < 0.5) this.ground.position[axis] = Math.round(foot[axis] / cell) * cell;
    }
    this.cell = cell;
    this.scene.add(this.ground);
  }

  addLights() {
    const { planar } = this.data;
    const size = this.extents.size;
    this.scene.add(new THREE.HemisphereLight("#ffffff", "#c2c9d2", 0.8));
    this.sun = new THREE.DirectionalLight("#ffffff", 0.4);
    const side = planar ? new THREE.Vector3(0.35, 0.5, 1.2) : this.up.clone().multiplyScalar(1.6).add(sideways(this.up, 0.9,
      0.5));
    this.sunOffset = side.normalize().multiplyScalar(4 * size);
    this.sun.castShadow = true;
    const reach = Math.min(1.3 * this.extents.radius, 2.2 * size);
    Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * size,
      far: 12 * size });
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 2;
    this.sun.shadow.bias = -0.0005;
    this.scene.add(this.sun, this.sun.target);
  }

  /** The camera where it sees everything, or the followed body with its surroundings; `view`: one of the standard ones. */
  home(view) {
    this.eye.home(this.followed === null ? null : this.followedPoint(), view);
  }

  get camera() {
    return this.eye.camera;
  }

  get controls() {
    return this.eye.controls;
  }

  followedPoint() {
    return new THREE.Vector3(...this.motion.point(this.followed, [0, 0, 0], new Float64Array(3)));
  }

  /** `body`: an index, or null to stay. The camera keeps its direction and comes as near as the body's surroundings. */
  follow(body) {
    this.followed = body;
    this.home();
  }

  /** Adds the path of a body-fixed point; returns the trace, for `untrace`. */
  trace(body, local, color) {
    const dot = new THREE.Mesh(new THREE.SphereBufferGeometry(0.011 * Math.min(this.extents.size, this.extents.radius), 16, 12),
      new THREE.MeshBasicMaterial({ color }));
    this.scene.add(dot);
    const trace = { body, local, color, dot, at: new Float64Array(3) };
    this.drawTrace(trace);
    this.traces.push(trace);
    return trace;
  }

  /** The lines of a trace: all of its path pale, what is past strong. */
  drawTrace(trace) {
    const path = this.motion.path(trace.body, trace.local, 4000);
    if (path.times.length < 2) path.points.push(...path.points); // a line has two ends
    trace.times = path.times;
    trace.all = this.line(path.points, trace.color, 1.2);
    trace.all.material.uniforms.opacity.value = 0.3;
    trace.all.material.transparent = true;
    trace.past = this.line(path.points, trace.color, 2.4);
  }

  retrace(trace) {
    this.dropLines(trace);
    this.drawTrace(trace);
  }

  untrace(trace) {
    this.traces = this.traces.filter((other) => other !== trace);
    this.scene.remove(trace.dot);
    this.dropLines(trace);
  }

  dropLines(trace) {
    this.scene.remove(trace.all, trace.past);
    for (const line of [trace.all, trace.past]) {
      this.lineMaterials = this.lineMaterials.filter((material) => material !== line.material);
      line.geometry.dispose();
      line.material.dispose();
    }
  }

  showMarkers(shown) {
    this.solids.markers.visible = shown;
    this.draw();
  }

  /** `kind`: "force" or "velocity". */
  showArrows(kind, shown) {
    this.arrows.show(kind, shown);
    this.arrows.update(this.time);
    this.draw();
  }

  showContacts(shown) {
    this.arrows.showContacts = shown;
    this.arrows.update(this.time);
    this.draw();
  }

  setParallel(on) {
    this.eye.setParallel(on);
  }

  scaleArrows(factor) {
    this.arrows.scale = factor;
    this.arrows.update(this.time);
    this.draw();
  }

  showGround(shown) {
    this.ground.visible = shown;
    this.draw();
  }

  /** The body under a point of the canvas (its own pixels), or null. */
  bodyAt(x, y) {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((2 * x) / this.width - 1, 1 - (2 * y) / this.height), this.eye.active);
    const lines = this.curves.filter(({ body }) => body >= 0);
    const near = this.nearestCurve(lines, x, y);
    return this.solids.bodyAlong(ray) ?? near;
  }

  /** The body whose curve passes within a few pixels. */
  nearestCurve(lines, x, y) {
    const reach = 6;
    const at = new Float64Array(3);
    for (const { body, points } of lines) {
      for (const point of points) {
        const [px, py] = this.project(this.motion.point(body, point, at));
        if (Math.hypot(px - x, py - y) <= reach) return body;
      }
    }
    return null;
  }

  /** Shows which body is chosen; null: none. */
  highlight(body) {
    this.solids.highlight(body);
    this.draw();
  }

  /** Everything at the time `t`. */
  update(t) {
    this.time = t;
    this.motion.set(t);
    this.solids.update(this.motion.places);
    this.links.update();
    for (const { line, body } of this.curves) {
      if (body < 0) continue;
      const m = this.motion.places.subarray(12 * body, 12 * body + 12);
      line.matrix.set(...m, 0, 0, 0, 1);
      line.matrixWorldNeedsUpdate = true;
    }
    for (const trace of this.traces) {
      trace.dot.position.fromArray(this.motion.point(trace.body, trace.local, trace.at));
      let past = 0;
      while (past < trace.times.length && trace.times[past] <= t) ++past;
      trace.past.geometry.maxInstancedCount = Math.max(0, past - 1);
    }
    this.arrows.update(t);
    if (this.followed !== null) this.eye.goWith(this.followedPoint());
    this.draw();
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    if (clientWidth === 0 || (clientWidth === this.width && clientHeight === this.height)) return;
    [this.width, this.height] = [clientWidth, clientHeight];
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.eye.setAspect(clientWidth / clientHeight);
    for (const material of this.lineMaterials) material.resolution.set(clientWidth, clientHeight);
    if (this.resized) return this.render(); // a new size empties the canvas
    this.resized = true; // the first size decides how far away the camera has to be
    this.home();
    this.render();
  }

  /** At the next frame, once. */
  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.render();
    });
  }

  /** At once: also where no frame ever comes, as in programs that take a picture of a page they have just loaded. */
  render() {
    if (!this.width || this.ended) return;
    const near = this.followed === null && this.extents.radius < 2.2 * this.extents.size;
    this.sun.target.position.copy(near ? this.extents.center : this.controls.target);
    this.sun.position.copy(this.sun.target.position).add(this.sunOffset);
    const camera = this.eye.active;
    this.renderer.render(this.scene, camera);
    this.triad.update(camera);
  }

  /** Where a point of space is on the canvas, in its own pixels. */
  project(point) {
    const v = new THREE.Vector3(...point).project(this.eye.active);
    return [((v.x + 1) / 2) * this.width, ((1 - v.y) / 2) * this.height];
  }
}
