/** Shoulders for a head that was made without: about what the engine will make, without its fit to the neck. */
import { BufferGeometry, Float32BufferAttribute, type Mesh, type Object3D, Vector3 } from 'three';

const columns = 64;
const rows = 20;
/** As in the engine's `choices/bust.ts`, in half-widths of the neck. */
const torso = { wide: 3.35, deep: 1.95, down: 2.5, roundness: 2.5 } as const;
const slope = 0.36;
const squareness = 2.7;
/** How far the shirt reaches up the neck, and stands off it, metres. */
const collar = { up: 0.014, off: 0.0055 } as const;
/** Height above the neck's end in which its width is measured, metres. */
const measured = 0.02;

const smoothstep = (from: number, to: number, value: number): number => {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
};

/** Distance of the neck's skin from its axis in each direction near its end, and the height of that end. */
function neckOf(skin: Mesh, scene: Object3D): { end: number; radii: number[] } {
  const point = new Vector3();
  const positions = skin.geometry.getAttribute('position');
  scene.updateWorldMatrix(true, true);
  const toScene = scene.matrixWorld.clone().invert().multiply(skin.matrixWorld);
  const at = (index: number): Vector3 => skin.getVertexPosition(index, point).applyMatrix4(toScene);
  let end = Number.POSITIVE_INFINITY;
  for (let i = 0; i < positions.count; i++) end = Math.min(end, at(i).y);
  const radii = new Array<number>(columns).fill(0);
  for (let i = 0; i < positions.count; i++) {
    const { x, y, z } = at(i);
    if (y > end + measured) continue;
    const column = Math.round(((Math.atan2(z, x) + 2 * Math.PI) / (2 * Math.PI)) * columns) % columns;
    radii[column] = Math.max(radii[column]!, Math.hypot(x, z));
  }
  const mean = radii.reduce((sum, one) => sum + one, 0) / Math.max(1, radii.filter(Boolean).length);
  return { end, radii: radii.map((radius) => radius || mean) };
}

/** In the space of the head's file, metres. */
export function shouldersOf(skin: Mesh, scene: Object3D): BufferGeometry {
  const { end, radii } = neckOf(skin, scene);
  const neck = radii.reduce((sum, one) => sum + one, 0) / columns;
  const points: number[] = [];
  for (let k = 0; k < columns; k++) {
    const angle = (2 * Math.PI * k) / columns;
    const [x, z] = [Math.cos(angle), Math.sin(angle)];
    const from = radii[k]! + collar.off;
    const { wide, deep, down, roundness } = torso;
    const to = neck * (Math.abs(x / wide) ** roundness + Math.abs(z / deep) ** roundness) ** (-1 / roundness);
    const fall = neck * down;
    const aside = smoothstep(0.25, 0.95, Math.abs(x));
    points.push(x * (from - 0.004), end + collar.up, z * (from - 0.004));
    points.push(x * from, end + collar.up, z * from);
    for (let row = 0; row <= rows; row++) {
      const t = row / rows;
      const turn = (t * Math.PI) / 2;
      const grown = (1 - aside) * Math.sin(turn) ** 1.15 + aside * Math.sin(turn) ** (2 / squareness);
      const far = from + (to - from) * grown;
      const sloped = slope * (far - from);
      const shoulder = sloped + (fall - slope * (to - from)) * (1 - Math.cos(turn) ** (2 / squareness));
      points.push(x * far, end - (aside * shoulder + (1 - aside) * fall * t ** 1.1), z * far);
    }
  }
  const height = points.length / 3 / columns;
  const triangles: number[] = [];
  for (let k = 0; k < columns; k++)
    for (let row = 0; row + 1 < height; row++) {
      const [a, b] = [k * height + row, ((k + 1) % columns) * height + row];
      triangles.push(a, b, a + 1, b, b + 1, a + 1);
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  return geometry;
}
