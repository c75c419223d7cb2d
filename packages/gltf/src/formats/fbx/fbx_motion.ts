import { crc32 } from 'node:zlib';
import type { vec4 } from '@gltf-transform/core';
import type { Motion, Track } from '../scene/motion.ts';
import type { SceneNode } from '../scene/scene_node.ts';
import { double, type FbxProperty, int, node, packed } from './fbx_binary.ts';
import { degrees, nearest } from './fbx_euler.ts';
import { centimetres } from './fbx_geometry.ts';
import { type FbxObjects, factor, properties, ticks, time } from './fbx_objects.ts';

interface Animated {
  nodes: readonly SceneNode[];
  /** Model ids, by scene node. */
  models: readonly number[];
  /** Blend shape channels, by scene node and target. */
  channels: readonly (readonly number[])[];
}

/** Linear interpolation; the other bits are those that Autodesk's writer sets. */
const straight = 0x6104;
/** Slopes (unused where it is straight), and weights of a third, packed as two shorts into one float. */
const tangents = new Float32Array([0, 0, new Float32Array(new Uint32Array([0x0d050d05]).buffer)[0]!, 0]);

/** Adds a take: a stack, its one layer, and a curve for each animated property. */
export async function addMotion(objects: FbxObjects, motion: Motion, scene: Animated): Promise<void> {
  const span = (name: string, seconds: number) => time(name, ticks(seconds));
  const stack = objects.add('AnimationStack', { name: motion.name, kind: 'AnimStack', type: '' }, [
    properties(
      span('LocalStart', motion.start),
      span('LocalStop', motion.end),
      span('ReferenceStart', motion.start),
      span('ReferenceStop', motion.end),
    ),
  ]);
  const layer = objects.add('AnimationLayer', { name: motion.name, kind: 'AnimLayer', type: '' }, []);
  objects.connect(layer, stack);
  const data = new CurveData();
  const weights = motion.tracks.filter(({ path }) => path === 'weights');
  const moving = new Set(weights.flatMap(({ target }) => movingNames(scene.nodes[target]!)));
  for (const track of motion.tracks) {
    if (track.path === 'weights') await addShapeCurves(objects, layer, { track, moving }, scene, data);
    else await addTransformCurves(objects, layer, track, scene, data);
  }
}

/**
 * Times and values of a take's curves, each deflated once. All curves of a track share their times, and all
 * meshes of a head share the values of their shapes.
 */
class CurveData {
  readonly #times = new Map<Float64Array, Promise<FbxProperty>>();
  readonly #values = new Map<string, { values: Float32Array; packed: Promise<FbxProperty> }>();

  times(times: Float64Array): Promise<FbxProperty> {
    let known = this.#times.get(times);
    if (!known) {
      known = packed(BigInt64Array.from(times, (seconds) => BigInt(ticks(seconds))));
      this.#times.set(times, known);
    }
    return known;
  }

  /** Starts deflating these values before `values` needs them. */
  prepare(values: Float32Array): void {
    this.values(values).catch(() => undefined);
  }

  values(values: Float32Array): Promise<FbxProperty> {
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    const key = `${values.length}:${crc32(bytes)}`;
    const known = this.#values.get(key);
    if (known && bytes.equals(new Uint8Array(known.values.buffer, 0, known.values.byteLength)))
      return known.packed;
    const made = packed(values);
    this.#values.set(key, { values, packed: made });
    return made;
  }
}

const movingNames = ({ mesh }: SceneNode): string[] =>
  mesh?.targets.filter(({ points }) => points.length > 0).map(({ name }) => name) ?? [];

async function addShapeCurves(
  objects: FbxObjects,
  layer: number,
  { track, moving }: { track: Track; moving: ReadonlySet<string> },
  { nodes, channels }: Animated,
  data: CurveData,
): Promise<void> {
  const { target: targetIndex, times, values, width } = track;
  const driven = [...channels[targetIndex]!.entries()].flatMap(([target, channel]) => {
    // Teeth have all of a head's shapes, but few move; they share the skin's curves.
    const { name, points } = nodes[targetIndex]!.mesh!.targets[target]!;
    if (points.length === 0 && moving.has(name)) return [];
    const percent = new Float32Array(times.length);
    for (let row = 0; row < percent.length; row++) percent[row] = values[row * width + target]! * 100;
    return [{ channel, percent }];
  });
  // Deflated in parallel, on all threads.
  for (const { percent } of driven) if (!isStill(percent)) data.prepare(percent);
  for (const { channel, percent } of driven) {
    const curves = objects.add(
      'AnimationCurveNode',
      { name: 'DeformPercent', kind: 'AnimCurveNode', type: '' },
      [properties(factor('d|DeformPercent', percent[0]!))],
    );
    objects.connect(curves, layer);
    objects.connect(curves, channel, 'DeformPercent');
    objects.connect(await addCurve(objects, times, percent, data), curves, 'd|DeformPercent');
  }
}

const transforms = {
  translation: { name: 'T', property: 'Lcl Translation' },
  rotation: { name: 'R', property: 'Lcl Rotation' },
  scale: { name: 'S', property: 'Lcl Scaling' },
} as const;

async function addTransformCurves(
  objects: FbxObjects,
  layer: number,
  { target, path, times, values }: Track,
  { models }: Animated,
  data: CurveData,
): Promise<void> {
  if (path === 'weights') return;
  const { name, property } = transforms[path];
  const axes = [0, 1, 2].map(() => new Float32Array(times.length));
  let before = [0, 0, 0];
  for (let row = 0; row < times.length; row++) {
    const now =
      path === 'rotation'
        ? nearest(degrees(values.subarray(row * 4, row * 4 + 4) as unknown as vec4), before)
        : [...values.subarray(row * 3, row * 3 + 3)].map((value) =>
            path === 'translation' ? value * centimetres : value,
          );
    for (const [k, axis] of axes.entries()) axis[row] = now[k]!;
    before = now;
  }
  const curves = objects.add('AnimationCurveNode', { name, kind: 'AnimCurveNode', type: '' }, [
    properties(...['X', 'Y', 'Z'].map((axis, k) => factor(`d|${axis}`, axes[k]![0]!))),
  ]);
  objects.connect(curves, layer);
  objects.connect(curves, models[target]!, property);
  for (const [k, axis] of ['X', 'Y', 'Z'].entries())
    objects.connect(await addCurve(objects, times, axes[k]!, data), curves, `d|${axis}`);
}

/** A curve that never changes needs one key; most of a take's shapes don't move. */
const isStill = (values: Float32Array): boolean => values.every((value) => value === values[0]);

async function addCurve(
  objects: FbxObjects,
  times: Float64Array,
  values: Float32Array,
  data: CurveData,
): Promise<number> {
  const still = isStill(values);
  const keys = still ? 1 : values.length;
  const at = still ? await packed(new BigInt64Array([BigInt(ticks(times[0]!))])) : await data.times(times);
  return objects.add('AnimationCurve', { name: '', kind: 'AnimCurve', type: '' }, [
    node('Default', [double(values[0]!)]),
    node('KeyVer', [int(4008)]),
    node('KeyTime', [at]),
    node('KeyValueFloat', [await data.values(still ? values.slice(0, 1) : values)]),
    node('KeyAttrFlags', [await packed(new Int32Array([straight]))]),
    node('KeyAttrDataFloat', [await packed(tangents)]),
    node('KeyAttrRefCount', [await packed(new Int32Array([keys]))]),
  ]);
}
