/** Minutes of a take at a broadcast rate, as Blender imports them: the mouth opens where the sound says. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertTake } from '@likeness/gltf/formats/convert_take.ts';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { exportTake } from '../../main/takes/export/take_export.ts';
import { describeWith, inBlender } from '../support/readers.ts';
import { sized } from '../support/sizes.ts';

vi.setConfig({ testTimeout: 600_000 });

const seconds = sized(120, 600);
const opened = [0.5, seconds - 0.8] as const;
const frameCount = seconds * 60 + 1;
const jawOpen = arkitBlendshapeNames.indexOf('jawOpen');

const face: PlayableFace = {
  channelNames: arkitBlendshapeNames,
  frameRate: 60,
  serverShare: new Float32Array(frameCount),
  frames: Array.from({ length: frameCount }, (_, index) => {
    const weights = new Float32Array(arkitBlendshapeNames.length);
    if (opened.some((at) => index / 60 >= at && index / 60 < at + 0.3)) weights[jawOpen] = 0.6;
    return { timeCode: index / 60, weights, headPose: undefined, eyeGaze: undefined };
  }),
};

describeWith('blender', 'minutes of a take in Blender', () => {
  it.each(['fbx', 'glb'] as const)('at 29.97 as %s: rate, length and sync', async (format) => {
    const folder = mkdtempSync(join(tmpdir(), 'likeness-take-files-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const take = {
      name: 'Hello',
      createdAt: 0,
      face,
      seconds,
      words: null,
      audio: Buffer.from('sound'),
      head: async () => readFileSync(join(import.meta.dirname, '../../out/main/default-head.glb')),
    };
    await exportTake(take, [format], folder, convertTake, { rate: '29.97' });
    const { fps, whole, rises, last } = await inBlender<{
      fps: number;
      whole: number;
      rises: number[];
      last: number;
    }>(
      `
scene = bpy.context.scene
if args['format'] == 'fbx':
    bpy.ops.import_scene.fbx(filepath=args['file'])
else:
    # glTF has no rate of its own: the scene's must be the file's.
    scene.render.fps, scene.render.fps_base = 30, 1.001
    bpy.ops.import_scene.gltf(filepath=args['file'])
curve = next(c for a in bpy.data.actions for c in a.fcurves if 'jawOpen' in c.data_path)
points = [(p.co[0], p.co[1]) for p in curve.keyframe_points]
half = max(v for _, v in points) / 2
rises = [f for (f, v), (_, before) in zip(points[1:], points) if v > half and not before > half]
result = dict(
    fps=scene.render.fps / scene.render.fps_base, whole=scene.render.fps,
    rises=rises, last=max(a.frame_range[1] for a in bpy.data.actions) - min(a.frame_range[0] for a in bpy.data.actions))
`,
      { file: join(folder, `Hello.${format}`), format },
    );
    expect(fps).toBeCloseTo(30_000 / 1001, 3);
    // Blender knows the rate, but its importers lay keys out by the whole number beside it (seconds × 30).
    expect(Math.abs(last / whole - seconds)).toBeLessThan(1 / fps);
    expect(rises).toHaveLength(2);
    // Blender's FBX importer counts from frame 1, its glTF importer from 0.
    const first = format === 'fbx' ? 1 : 0;
    for (const [at, frame] of rises.entries())
      expect(Math.abs((frame - first) / whole - opened[at]!)).toBeLessThanOrEqual(1 / fps + 1e-3);
  });
});
