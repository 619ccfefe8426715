// The bodies of a scene: all pieces of one solid and colour in one instanced mesh, so that a thousand bodies stay light.
import * as THREE from "three";

// Normals of scaled instances: divided by the squared scales, or round things look flat.
THREE.ShaderChunk.defaultnormal_vertex = THREE.ShaderChunk.defaultnormal_vertex.replace(
  "transformedNormal = mat3( instanceMatrix ) * transformedNormal;",
  `mat3 im = mat3( instanceMatrix );
  transformedNormal /= vec3( dot( im[0], im[0] ), dot( im[1], im[1] ), dot( im[2], im[2] ) );
  transformedNormal = im * transformedNormal;`);

/** Triangles of a file, with flat faces. */
function trianglesOf({ points, corners }) {
  const shared = new THREE.BufferGeometry();
  shared.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  shared.setIndex(corners);
  const flat = shared.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

function geometryOf({ solid, triangles }, fine) {
  if (solid === "mesh") return trianglesOf(triangles);
  if (solid === "box") return new THREE.BoxBufferGeometry(1, 1, 1);
  if (solid === "sphere") return new THREE.SphereBufferGeometry(1, fine ? 28 : 12, fine ? 20 : 8);
  const cylinder = new THREE.CylinderBufferGeometry(1, 1, 1, fine ? 40 : 12);
  cylinder.rotateX(Math.PI / 2); // three.js' cylinders stand along y
  return cylinder;
}

export function material(color) {
  return new THREE.MeshStandardMaterial({ color, roughness: 0.55, metalness: 0.05 });
}

/** Product of a place (three rows of four, at `a`) and a piece's place, as the 16 numbers of WebGL's column order. */
function multiply(places, a, piece, out, at) {
  for (let i = 0; i < 3; ++i) {
    const r = a + 4 * i;
    const [m0, m1, m2] = [places[r], places[r + 1], places[r + 2]];
    for (let j = 0; j < 4; ++j) out[at + 4 * j + i] = m0 * piece[j] + m1 * piece[4 + j] + m2 * piece[8 + j];
    out[at + 12 + i] += places[r + 3];
  }
}

const stillPlace = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** Of the chosen body, whose pieces are drawn once more, a little larger. */
const chosenColor = "#f2a33a";
const chosenScale = 1.02;

class Group {
  constructor(pieces, fine) {
    this.pieces = pieces;
    this.mesh = new THREE.InstancedMesh(geometryOf(pieces[0], fine), material(pieces[0].color), pieces.length);
    this.mesh.frustumCulled = false; // its bounds are those of one instance
    this.mesh.castShadow = pieces[0].body >= 0 || pieces[0].marker;
    this.matrices = this.mesh.instanceMatrix.array;
    for (let k = 0; k < pieces.length; ++k) {
      this.matrices[16 * k + 15] = 1;
      multiply(stillPlace, 0, pieces[k].place, this.matrices, 16 * k);
    }
    this.moving = pieces.some((piece) => piece.body >= 0);
  }

  update(places) {
    if (!this.moving) return;
    this.pieces.forEach((piece, k) => {
      if (piece.body >= 0) multiply(places, 12 * piece.body, piece.place, this.matrices, 16 * k);
    });
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/** Roads and walls: meshes of their own, because instances take no shadows. */
function groundMesh(piece) {
  const mesh = new THREE.Mesh(geometryOf(piece, true), material(piece.color));
  mesh.matrixAutoUpdate = false;
  mesh.matrix.set(...piece.place, 0, 0, 0, 1);
  mesh.receiveShadow = true;
  return mesh;
}

/** What is thinner than `least` is drawn that thick: a chain of a thousand links is still to be seen. */
function thickened(piece, least) {
  const place = piece.place.slice();
  for (let j = 0; j < 3; ++j) {
    const length = Math.hypot(place[j], place[4 + j], place[8 + j]);
    if (length <= 0 || length >= least) continue;
    for (const i of [0, 4, 8]) place[i + j] *= least / length;
  }
  return { ...piece, place };
}

const marked = { disc: 1.3, ring: 0.05 };

/** A darker tone of "#rrggbb". */
function darker(color) {
  return `#${new THREE.Color(color).multiplyScalar(0.55).getHexString()}`;
}

/** The spin of round bodies is to be seen: discs get a bar across their faces, balls two rings. Same places, other scales. */
function marksOf(piece) {
  if (piece.marker || piece.body < 0 || ["box", "mesh"].includes(piece.solid)) return [];
  const scaled = (solid, a, b, c, order = [0, 1, 2]) => {
    const factors = [a, b, c];
    const place = piece.place.slice();
    for (let j = 0; j < 3; ++j) for (const i of [0, 4, 8]) place[i + j] = factors[j] * piece.place[i + order[j]];
    return { ...piece, solid, place, color: darker(piece.color), marker: false };
  };
  if (piece.solid === "sphere") return [scaled("cylinder", 1.006, 1.006, marked.ring), scaled("cylinder", 1.006, 1.006,
    marked.ring, [1, 2, 0])];
  const [r, h] = [0, 2].map((j) => Math.hypot(piece.place[j], piece.place[4 + j], piece.place[8 + j]));
  return h < marked.disc * r ? [scaled("box", 1.7, 0.14, 1.03)] : [];
}

export class Solids {
  /** `meshes`: triangles that pieces name by their place in it. */
  constructor(given, meshes, least) {
    const bare = given.map((piece) => (piece.solid === "mesh" ? { ...piece, triangles: meshes[piece.mesh] } : piece));
    const pieces = bare.length > 1500 ? bare : bare.concat(bare.flatMap(marksOf));
    const groups = new Map();
    this.bodies = new THREE.Group();
    this.markers = new THREE.Group();
    this.chosen = [];
    for (const piece of pieces) {
      if (piece.body < 0 && !piece.marker) {
        this.bodies.add(groundMesh(piece));
        continue;
      }
      const key = `${piece.solid} ${piece.mesh} ${piece.color} ${piece.marker} ${piece.body < 0}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(thickened(piece, least));
    }
    const fine = pieces.length < 400;
    this.groups = [...groups.values()].map((group) => new Group(group, fine));
    for (const group of this.groups) (group.pieces[0].marker ? this.markers : this.bodies).add(group.mesh);
  }

  update(places) {
    this.places = places;
    for (const group of [...this.groups, ...this.chosen]) group.update(places);
  }

  /** The body of the first piece that a ray meets, or null; ground in front of it counts as nothing there. */
  bodyAlong(ray) {
    const meshes = this.bodies.children;
    for (const mesh of meshes) mesh.updateMatrixWorld();
    const [first] = ray.intersectObjects(meshes, false);
    const group = first && [...this.groups, ...this.chosen].find(({ mesh }) => mesh === first.object);
    const body = group ? group.pieces[first.instanceId].body : -1;
    return body >= 0 ? body : null;
  }

  /** Shows which body is chosen; null: none. */
  highlight(body) {
    for (const { mesh } of this.chosen) {
      this.bodies.remove(mesh);
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.chosen = [];
    if (body === null) return;
    const own = this.groups.flatMap((group) => group.pieces).filter((piece) => piece.body === body && !piece.marker);
    for (const piece of own) {
      const place = piece.place.map((value, i) => (i % 4 === 3 ? value : chosenScale * value));
      const group = new Group([{ ...piece, place, color: chosenColor }], true);
      group.update(this.places);
      this.chosen.push(group);
      this.bodies.add(group.mesh);
    }
  }
}
