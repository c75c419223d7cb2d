/** Shoulders for a head that was made without: about what the engine will make, without its fit to the neck. */
import { collarHeight, shoulderPoint, shoulderRows, torsoEnd } from '@likeness/proto/heads/shoulders.ts';
import { BufferGeometry, Float32BufferAttribute, MathUtils, type Mesh, type Object3D, Vector3 } from 'three';

const columns = 64;
/** How far the collar stands off the neck, metres. */
const collarOff = 0.0055;
/** Height above the neck's end in which its width is measured, metres. */
const measured = 0.02;

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
    const from = radii[k]! + collarOff;
    const { to, down: fall } = torsoEnd(x, z, neck);
    const aside = MathUtils.smoothstep(Math.abs(x), 0.25, 0.95);
    points.push(x * (from - 0.004), end + collarHeight, z * (from - 0.004));
    points.push(x * from, end + collarHeight, z * from);
    for (let row = 0; row <= shoulderRows; row++) {
      const { far, below } = shoulderPoint(row / shoulderRows, aside, { from, to, fall });
      points.push(x * far, end - below, z * far);
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
