import { MathUtils, type mat4 } from '@gltf-transform/core';
import type { FlatScene } from '../scene/flat_scene.ts';
import { type Motion, type Track, valuesAt } from '../scene/motion.ts';
import type { SceneNode } from '../scene/scene_node.ts';
import { decimals, identifier, list, matrixText, quoted, tuples, type UsdText } from './usd_text.ts';

/** Path of each node's joint in the skeleton, by node; a skinned mesh has none. */
export function jointPaths(nodes: readonly SceneNode[]): string[] {
  const taken = new Set<string>();
  const paths: string[] = [];
  for (const { name, parent, skin } of nodes) {
    const own = identifier(name, taken);
    paths.push(skin ? '' : parent < 0 ? own : `${paths[parent]}/${own}`);
  }
  return paths;
}

/**
 * The names that drive the shapes of each mesh. Shapes with the same name move together, as UsdSkel requires.
 */
export type ShapeNames = readonly (readonly string[])[];

interface Animated {
  scene: FlatScene;
  path: string;
  joints: readonly string[];
  shapes: ShapeNames;
}

/**
 * Writes the skeleton of a scene, and its takes: all nodes are joints, because UsdSkel animates nothing else.
 *
 * @returns the path of the take that is played
 */
export function writeSkeleton(usd: UsdText, animated: Animated): string {
  const { scene, path, joints } = animated;
  const binds = new Map<number, mat4>();
  for (const { skin } of scene.nodes)
    for (const [i, joint] of skin?.joints.entries() ?? []) binds.set(joint, skin!.binds[i]!);
  const all = [...scene.nodes.entries()].filter(([index]) => joints[index]);
  const taken = new Set<string>();
  const takes = scene.motions.map((motion) => identifier(motion.name, taken));
  const played = `${path}/${takes[0] ?? 'Rest'}`;
  usd.line(`def Skeleton ${quoted(path.split('/').at(-1)!)} (`);
  usd.line('  prepend apiSchemas = ["SkelBindingAPI"]');
  usd.block(')', () => {
    usd.line(`uniform token[] joints = ${list(all.map(([index]) => quoted(joints[index]!)))}`);
    usd.line(
      `uniform matrix4d[] bindTransforms = ${list(all.map(([index, { world }]) => matrixText(binds.get(index) ?? world)))}`,
    );
    usd.line(`uniform matrix4d[] restTransforms = ${list(all.map(([, node]) => matrixText(localOf(node))))}`);
    usd.line(`rel skel:animationSource = <${played}>`);
    if (takes.length === 0) writeRest(usd, animated);
    for (const [number, motion] of scene.motions.entries()) writeTake(usd, takes[number]!, motion, animated);
  });
  return played;
}

const localOf = ({ translation, rotation, scale }: SceneNode): mat4 => {
  const matrix = new Array(16).fill(0) as unknown as mat4;
  MathUtils.compose(translation, rotation, scale, matrix);
  return matrix;
};

/** Without a take: writes the shapes' names with weight 0, so that a program can move them. */
function writeRest(usd: UsdText, { scene, shapes }: Animated): void {
  const weights = new Map<string, number>();
  for (const [node, names] of shapes.entries())
    for (const [k, name] of names.entries()) weights.set(name, scene.nodes[node]!.weights[k] ?? 0);
  usd.block('def SkelAnimation "Rest"', () => {
    usd.line(`uniform token[] blendShapes = ${list([...weights.keys()].map(quoted))}`);
    usd.line(`float[] blendShapeWeights = ${tuples([...weights.values()], 1, decimals(5))}`);
  });
}

function writeTake(usd: UsdText, name: string, motion: Motion, { scene, joints, shapes }: Animated): void {
  const first = Math.round(motion.start * motion.rate);
  const last = Math.round(motion.end * motion.rate);
  const frames = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const samples = (what: string, row: (seconds: number) => string): void => {
    usd.line(`${what}.timeSamples = {`);
    for (const frame of frames) usd.line(`  ${frame}: ${row(frame / motion.rate)},`);
    usd.line('}');
  };
  usd.block(`def SkelAnimation ${quoted(name)}`, () => {
    const driven = driversOf(motion.tracks, shapes);
    if (driven.size > 0) {
      usd.line(`uniform token[] blendShapes = ${list([...driven.keys()].map(quoted))}`);
      // tinyusdz ignores attributes that have only time samples.
      usd.line(`float[] blendShapeWeights = ${list(new Uint8Array(driven.size))}`);
      samples('float[] blendShapeWeights', (seconds) => {
        const rows = new Map<Track, number[]>();
        const values = [...driven.values()].map(({ track, target }) => {
          const row = rows.get(track) ?? valuesAt(track, seconds);
          rows.set(track, row);
          return row[target]!;
        });
        return tuples(values, 1, decimals(5));
      });
    }
    const moving = [
      ...new Set(motion.tracks.filter(({ path }) => path !== 'weights').map(({ target }) => target)),
    ]
      .filter((index) => joints[index])
      .toSorted((a, b) => a - b);
    if (moving.length === 0) return;
    const rows =
      (path: 'translation' | 'rotation' | 'scale', order: readonly number[]) => (seconds: number) =>
        tuples(
          moving.flatMap((index) => {
            const track = motion.tracks.find((one) => one.target === index && one.path === path);
            const value = track ? valuesAt(track, seconds) : scene.nodes[index]![path];
            return order.map((k) => value[k]!);
          }),
          order.length,
          decimals(7),
        );
    usd.line(`uniform token[] joints = ${list(moving.map((index) => quoted(joints[index]!)))}`);
    samples('float3[] translations', rows('translation', [0, 1, 2]));
    // USD has the real part first.
    samples('quatf[] rotations', rows('rotation', [3, 0, 1, 2]));
    samples('half3[] scales', rows('scale', [0, 1, 2]));
  });
}

/**
 * The track and column that drive each shape; for a shared name the first mesh's is used.
 */
function driversOf(
  tracks: readonly Track[],
  shapes: ShapeNames,
): Map<string, { track: Track; target: number }> {
  const drivers = new Map<string, { track: Track; target: number }>();
  for (const track of tracks) {
    if (track.path !== 'weights') continue;
    for (const [target, name] of shapes[track.target]!.entries())
      if (!drivers.has(name)) drivers.set(name, { track, target });
  }
  return drivers;
}
