import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ccNames, metaHumanNames } from '@likeness/gltf/formats/names/character_tables.ts';
import { driveTables, driveVocabularies } from '@likeness/gltf/formats/names/drive_tables.ts';
import {
  plannedDrives,
  unheardChannels,
  withOwnDrives,
} from '@likeness/gltf/formats/names/planned_drives.ts';
import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import { drivenWeight, findDrive } from '@likeness/proto/face/shape_drives.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openModelDrives } from '../../../main/names/model_drives.ts';

const visemes: readonly string[] = oculusVisemeNames;
const arkit: readonly string[] = arkitBlendshapeNames;
const all = [...arkit, ...visemes];

/** Weights that the shapes of a head get in a frame of these channels. */
function moved(
  shapes: readonly string[],
  frame: Readonly<Record<string, number>>,
  channels: readonly string[] = all,
): Record<string, number> {
  const weights = channels.map((name) => frame[name] ?? 0);
  return Object.fromEntries(
    plannedDrives(shapes, channels).drives.flatMap((drive) => {
      const found = findDrive(drive, channels);
      const weight = found ? drivenWeight(found, weights) : 0;
      return Math.abs(weight) > 1e-9 ? [[drive.shape, weight]] : [];
    }),
  );
}

test.each([
  ['JawOpen', 'EyeBlinkLeft'],
  ['jaw_open', 'eye_blink_left'],
  ['blendShape1.jawOpen', 'blendShape1.eyeBlink_L'],
  ['JAWOPEN', 'EYEBLINKLEFT'],
])('ARKit’s channels move %s and %s', (jaw, lid) => {
  expect(plannedDrives([jaw, lid], all).vocabulary).toBe('arkit');
  expect(moved([jaw, lid], { jawOpen: 0.4, eyeBlinkLeft: 0.7 })).toEqual({ [jaw]: 0.4, [lid]: 0.7 });
});

test('a head with ARKit’s shapes and visemes is moved by one set, whatever the other is called', () => {
  const frame = { jawOpen: 0.5, viseme_aa: 1 };
  expect(moved(['jawOpen', 'viseme_aa'], frame)).toEqual({ jawOpen: 0.5 });
  expect(moved(['Jaw_Open', 'V_Open', 'Mouth_Smile_L'], frame)).toEqual({ Jaw_Open: 0.5 });
});

describe('vocabularies', () => {
  const names = {
    vrm: ['aa', 'ih', 'ou', 'ee', 'oh', 'blink', 'blinkLeft', 'blinkRight', 'happy', 'neutral'],
    vrm0: ['A', 'I', 'U', 'E', 'O', 'Blink', 'Joy', 'Angry'],
    vroid: [
      'Face.M_F00_000_00_Fcl_MTH_A',
      'Face.M_F00_000_00_Fcl_MTH_I',
      'Face.M_F00_000_00_Fcl_EYE_Close_L',
    ],
    vowels: ['A', 'E', 'I', 'O', 'U'],
    mmd: ['あ', 'い', 'う', 'まばたき'],
    cc3: ['Open', 'Explosive', 'Tight-O', 'Eye_Blink_L', 'Brow_Drop_R'],
    cc4: Object.keys(ccNames((name) => [name])),
    metahuman: Object.keys(metaHumanNames),
    'oculus-short': ['sil', 'PP', 'FF', 'aa', 'E', 'ih', 'oh', 'ou'],
    vrchat: ['vrc.v_aa', 'vrc.v_pp', 'vrc.v_oh'],
    'preston-blair': ['rest', 'AI', 'E', 'O', 'U', 'MBP', 'FV', 'etc'],
    rhubarb: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'X'],
  };
  test.each(Object.entries(names))('%s is told by its names', (vocabulary, shapes) => {
    expect(plannedDrives(shapes, all).vocabulary).toBe(vocabulary);
  });

  test.each([
    [names.vrm, 'viseme_aa', 'aa'],
    [names.vrm0, 'viseme_U', 'U'],
    [names.vroid, 'viseme_I', 'Face.M_F00_000_00_Fcl_MTH_I'],
    [names.mmd, 'viseme_aa', 'あ'],
    [names.cc3, 'viseme_O', 'Tight-O'],
    [names['oculus-short'], 'viseme_O', 'oh'],
    [names.vrchat, 'viseme_PP', 'vrc.v_pp'],
    [names['preston-blair'], 'viseme_PP', 'MBP'],
    [names.rhubarb, 'viseme_DD', 'B'],
  ])('of %j the viseme %s moves %s alone', (shapes, viseme, shape) => {
    expect(moved(shapes, { [viseme]: 0.8 })).toEqual({ [shape]: 0.8 });
  });

  test('halves of a rig follow the whole of what ARKit has once', () => {
    const frame = { browInnerUp: 0.6, mouthPucker: 0.5, jawOpen: 0.3 };
    expect(moved(names.cc4, frame)).toMatchObject({
      Brow_Raise_Inner_L: 0.6,
      Brow_Raise_Inner_R: 0.6,
      Mouth_Pucker_Up_L: 0.5,
      Jaw_Open: 0.3,
    });
    expect(moved(names.metahuman, frame)).toMatchObject({
      CTRL_expressions_browRaiseInL: 0.6,
      CTRL_expressions_jawOpen: 0.3,
    });
  });

  test('lids that are there by side are not shut twice', () => {
    const frame = { eyeBlinkLeft: 1, eyeBlinkRight: 1 };
    expect(moved(names.vrm, frame)).toEqual({ blinkLeft: 1, blinkRight: 1 });
    expect(moved(names.vrm0, frame)).toEqual({ Blink: 1 });
  });

  test('moods stay still, and are told', () => {
    const still = plannedDrives(names.vrm, all).drives.filter(({ parts }) => parts.length === 0);
    expect(still.map(({ shape }) => shape)).toEqual(['blink', 'happy', 'neutral']);
  });

  test('every row of every table drives by channels that there are', () => {
    for (const vocabulary of driveVocabularies)
      for (const { alternatives } of driveTables[vocabulary])
        for (const { shape } of alternatives.flat()) expect(all).toContain(shape);
  });
});

describe('an A-E-I-O-U head and a face with ARKit’s channels alone', () => {
  const vowels = ['A', 'E', 'I', 'O', 'U'];
  test.each([
    ['A', { jawOpen: 0.6 }],
    ['E', { jawOpen: 0.35, mouthStretchLeft: 0.5, mouthStretchRight: 0.5 }],
    [
      'I',
      {
        jawOpen: 0.1,
        mouthStretchLeft: 0.5,
        mouthStretchRight: 0.5,
        mouthSmileLeft: 0.3,
        mouthSmileRight: 0.3,
      },
    ],
    ['O', { jawOpen: 0.4, mouthFunnel: 0.6, mouthPucker: 0.2 }],
    ['U', { jawOpen: 0.12, mouthPucker: 0.8, mouthFunnel: 0.2 }],
  ])('%s is the one that moves most', (vowel, frame) => {
    const weights = moved(vowels, frame, arkit);
    const [max] = Object.entries(weights).toSorted(([, a], [, b]) => b - a);
    expect(max![0]).toBe(vowel);
    expect(max![1]).toBeGreaterThan(0.4);
  });

  test('a face at rest leaves it at rest', () => {
    expect(moved(vowels, {}, arkit)).toEqual({});
  });
});

test('what is unknown stays still, and what the head can’t show is told', () => {
  const { vocabulary, drives } = plannedDrives(['jawOpen', 'mouthClose', 'Zopf'], all);
  expect(vocabulary).toBe('arkit');
  expect(drives.find(({ shape }) => shape === 'Zopf')!.parts).toEqual([]);
  const unheard = unheardChannels(drives, all);
  expect(unheard).toContain('tongueOut');
  expect(unheard).not.toContain('jawOpen');
  expect(unheard.some((channel) => channel.startsWith('viseme_'))).toBe(false);
});

test('a row of one’s own replaces the planned one: gain after curve, differences never below 0', () => {
  const planned = plannedDrives(['jawOpen', 'mouthClose'], all).drives;
  const parts = [
    { channel: 'jawOpen', weight: 1 },
    { channel: 'mouthClose', weight: -1 },
  ];
  const [jaw, close] = withOwnDrives(planned, [{ shape: 'jawOpen', parts, gain: 2, curve: 2 }]);
  const of = (open: number, shut: number): number => {
    const frame = all.map((name) => (name === 'jawOpen' ? open : name === 'mouthClose' ? shut : 0));
    return drivenWeight(findDrive(jaw!, all)!, frame);
  };
  expect(of(0.5, 0)).toBeCloseTo(0.5);
  expect(of(0.6, 0.2)).toBeCloseTo(2 * 0.16);
  expect(of(0.1, 0.4)).toBe(0);
  expect(close).toEqual(planned[1]);
});

describe('what is kept of a head', () => {
  const row = { shape: 'A', parts: [{ channel: 'jawOpen', weight: 1 }], gain: 1.5, curve: 1 };
  const place = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'likeness-drives-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return join(folder, 'shape-drives.json');
  };

  test('is there after a restart, by head, until it is set back or the head is erased', async () => {
    const path = place();
    const drives = await openModelDrives(path, () => 0);
    await drives.save('ada', [row]);
    await drives.save(null, [{ ...row, gain: 2 }]);
    await drives.save('bob', [row]);
    const again = await openModelDrives(path, () => 0);
    expect([again.of('ada'), again.of(null), again.of('eve')]).toEqual([[row], [{ ...row, gain: 2 }], []]);
    await again.save('ada', []);
    await again.erase(['bob']);
    const last = await openModelDrives(path, () => 0);
    expect([last.of('ada'), last.of('bob'), last.of(null)]).toEqual([[], [], [{ ...row, gain: 2 }]]);
  });

  test('is put aside where it is damaged, and left alone where it is of a newer studio', async () => {
    const path = place();
    writeFileSync(path, '{"schemaVersion":1,"heads":');
    const drives = await openModelDrives(path, () => 5);
    expect(drives.problem).toContain('damaged');
    expect(drives.of('ada')).toEqual([]);
    expect(readdirSync(join(path, '..')).length).toBe(1);
    writeFileSync(path, '{"schemaVersion":2,"heads":{}}');
    await expect(openModelDrives(path, () => 5)).rejects.toMatchObject({ code: 'storage' });
  });
});
