import { type Accessor, Document, type Node } from '@gltf-transform/core';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import {
  drivenWeight,
  type FoundDrive,
  findDrive,
  type ShapeDrive,
} from '@likeness/proto/face/shape_drives.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import type { VRMCVRMAnimation } from '@pixiv/types-vrmc-vrm-animation-1.0';
import type { Bones } from '../../head_bones.ts';
import { builtInTables } from '../names/built_in_tables.ts';
import { planNames, shapeKey, soleShape } from '../names/name_table.ts';
import { clipName } from './expressions.ts';
import { makeBody, type Stature } from './humanoid.ts';
import { VrmcVrmAnimation, vrmIo } from './vrm_extensions.ts';

export interface VrmaOptions {
  name: string;
  /**
   * `own` (default): every channel under its own name, for avatars that have ARKit's shapes; the studio's VRM 1.0 have
   * them. `own-0.x`: the same in VRM 0.x' spelling (`JawOpen`). `presets`: VRM's mouths and lids alone, which
   * every avatar has.
   */
  expressions?: 'own' | 'own-0.x' | 'presets';
  /**
   * A person's drives for one head. Each shape becomes an expression with the shape's name in the head's VRM,
   * replacing the channel of that name. Not for `presets`.
   */
  drives?: readonly ShapeDrive[];
}

/** The reference body of the animation; it can be retargeted to any other. */
const stature: Stature = { height: 1.7, eyesAboveJoint: 0.04 };
const neckHeight = 1.4;
const headHeight = 1.53;

type Quaternion = [number, number, number, number];

/**
 * Writes a take as VRM animation (`.vrma`): turns of the head, the gaze as `lookAt`, and a weight for each
 * expression. It can't hold the head's translation, because VRM moves a body only by its hips. Both eyes use
 * their average direction.
 *
 * @throws Failure `unsupported` where the take has no face
 */
export async function writeVrma(
  { channelNames, frames }: Pick<PlayableFace, 'channelNames' | 'frames'>,
  { name, expressions = 'own', drives = [] }: VrmaOptions,
): Promise<Uint8Array> {
  if (frames.length === 0) {
    throw new Failure('unsupported', t('vrm.take_without_face'), {
      hint: t('vrm.make_face'),
    });
  }
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene(name);
  document.getRoot().setDefaultScene(scene);
  const bones = withHead(document, makeBody(document, stature));
  scene.addChild(bones.hips!);
  const animation = document.createAnimation(name);
  const stored = (values: Float32Array<ArrayBuffer>, type: 'SCALAR' | 'VEC3' | 'VEC4'): Accessor =>
    document.createAccessor().setType(type).setArray(values).setBuffer(buffer);
  const times = stored(
    Float32Array.from(frames, ({ timeCode }) => timeCode),
    'SCALAR',
  );
  const track = (node: Node, path: 'rotation' | 'translation', values: Float32Array<ArrayBuffer>): void => {
    const sampler = document
      .createAnimationSampler()
      .setInput(times)
      .setOutput(stored(values, path === 'rotation' ? 'VEC4' : 'VEC3'))
      .setInterpolation('LINEAR');
    const channel = document
      .createAnimationChannel()
      .setTargetNode(node)
      .setTargetPath(path)
      .setSampler(sampler);
    animation.addSampler(sampler).addChannel(channel);
  };

  track(
    bones.head!,
    'rotation',
    Float32Array.from(frames.flatMap(({ headPose }) => [...(headPose?.rotation ?? [0, 0, 0, 1])])),
  );
  let gaze: Node | null = null;
  if (frames.some(({ eyeGaze }) => eyeGaze)) {
    gaze = document.createNode('LookAt');
    scene.addChild(gaze);
    track(gaze, 'rotation', Float32Array.from(frames.flatMap(({ eyeGaze }) => gazeOf(eyeGaze))));
  }
  const tracks = withOwnRows(expressionTracks(channelNames, expressions), drives, channelNames, expressions);
  const expressionNodes = tracks.map(({ name: expression, drive, isPreset }) => {
    const node = document.createNode(expression);
    scene.addChild(node);
    const values = new Float32Array(frames.length * 3);
    for (const [row, { weights }] of frames.entries())
      values[row * 3] = drive ? Math.min(1, Math.max(0, drivenWeight(drive, weights))) : 0;
    track(node, 'translation', values);
    return { expression, node, isPreset };
  });

  document.createExtension(VrmcVrmAnimation<VRMCVRMAnimation>).describe((at) => {
    const of = (wanted: boolean) =>
      Object.fromEntries(
        expressionNodes.flatMap(({ expression, node, isPreset }) =>
          isPreset === wanted ? [[expression, { node: at.node(node) }]] : [],
        ),
      );
    return {
      specVersion: '1.0',
      humanoid: {
        humanBones: Object.fromEntries(
          Object.entries(bones).map(([bone, node]) => [bone, { node: at.node(node) }]),
        ),
      },
      expressions: { preset: of(true), custom: of(false) },
      ...(gaze && { lookAt: { node: at.node(gaze), offsetFromHeadBone: [0, stature.eyesAboveJoint, 0] } }),
    };
  });
  return vrmIo().writeBinary(document);
}

function withHead(document: Document, body: Bones): Bones {
  const chest = body.upperChest!;
  const neck = document
    .createNode('Neck')
    .setTranslation([0, neckHeight - chest.getWorldTranslation()[1], 0]);
  const head = document.createNode('Head').setTranslation([0, headHeight - neckHeight, 0]);
  chest.addChild(neck.addChild(head));
  return { ...body, neck, head };
}

interface ExpressionTrack {
  name: string;
  /** Null: it stays still. */
  drive: FoundDrive | null;
  isPreset: boolean;
}

const presetNames: ReadonlySet<string> = new Set(builtInTables.vrm.map(({ name }) => name));

/** Returns the drive by one unchanged channel. */
const straight = (channel: number): FoundDrive => ({ channels: [{ channel, weight: 1 }], gain: 1, curve: 1 });

/** Replaces expressions by the person's rows of the same names. */
function withOwnRows(
  tracks: readonly ExpressionTrack[],
  rows: readonly ShapeDrive[],
  channels: readonly string[],
  wanted: NonNullable<VrmaOptions['expressions']>,
): readonly ExpressionTrack[] {
  if (wanted === 'presets') return tracks;
  const byName = new Map(tracks.map((track) => [track.name, track]));
  for (const row of rows) {
    const key = shapeKey(row.shape);
    const isPreset = presetNames.has(key);
    // `lookAt` covers the gaze.
    if (isPreset && key.startsWith('look')) continue;
    const name = wanted === 'own' || isPreset ? key : clipName(key);
    byName.set(name, { name, drive: findDrive(row, channels), isPreset });
  }
  return [...byName.values()];
}

/** Maps channels to expressions. `lookAt` covers the gaze, so gaze presets are forbidden. */
function expressionTracks(
  channels: readonly string[],
  wanted: NonNullable<VrmaOptions['expressions']>,
): ExpressionTrack[] {
  if (wanted !== 'presets') {
    const hasArkit = channels.some((raw) => shapeKey(raw) === 'jawOpen');
    return channels.flatMap((raw, channel) => {
      const key = shapeKey(raw);
      // A take that has both sets moves an avatar by one: together they would open the mouth twice.
      if (hasArkit && key.startsWith('viseme_')) return [];
      const name = wanted === 'own' ? key : clipName(key);
      return presetNames.has(name) ? [] : [{ name, drive: straight(channel), isPreset: false }];
    });
  }
  const channelsByKey = new Map(channels.map((name, channel) => [shapeKey(name), channel]));
  return planNames(channels, { id: 'vrm', rows: builtInTables.vrm })
    .made.flatMap((made): ExpressionTrack[] => {
      const sole = soleShape(made);
      const channel = sole === null ? undefined : channelsByKey.get(shapeKey(sole));
      return channel === undefined ? [] : [{ name: made.name, drive: straight(channel), isPreset: true }];
    })
    .concat(mouthOf(channelsByKey));
}

/** A take with ARKit's channels alone opens an avatar's mouth by its jaw channel. */
function mouthOf(channelsByKey: ReadonlyMap<string, number>): ExpressionTrack[] {
  const jaw = channelsByKey.get('jawOpen');
  return channelsByKey.has('viseme_aa') || jaw === undefined
    ? []
    : [{ name: 'aa', drive: straight(jaw), isPreset: true }];
}

/** The mean of both eyes: yaw about +Y, then pitch, where up is a turn about −X. */
function gazeOf(gaze: PlayableFace['frames'][number]['eyeGaze']): Quaternion {
  const yaw = ((gaze?.leftYaw ?? 0) + (gaze?.rightYaw ?? 0)) / 2;
  const pitch = -((gaze?.leftPitch ?? 0) + (gaze?.rightPitch ?? 0)) / 2;
  const [sy, cy, sp, cp] = [Math.sin(yaw / 2), Math.cos(yaw / 2), Math.sin(pitch / 2), Math.cos(pitch / 2)];
  return [cy * sp, sy * cp, -sy * sp, cy * cp];
}
