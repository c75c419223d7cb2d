/** Presets of `--preset`: found by name, what they set, and which options replace it. */
import type { Failure } from '@likeness/node-kit/failure.ts';
import { expect, test } from 'vitest';
import { HeadPreset, TakePreset, VideoOptions } from '#contract';
import { filmPresetNames } from '#contract/video_options.ts';
import {
  filmPresetNamed,
  headPresetNamed,
  takePresetNamed,
  withPreset,
} from '../../../main/commands/presets.ts';

const nobodys = { takePresets: [], headPresets: [] };
const film = (name: string): VideoOptions => filmPresetNamed(name, nobodys);
const flags = {
  out: 'films',
  size: { width: 1280, height: 720 },
  rate: '25',
  framing: 'head',
  camera: 'front',
  detail: 'auto',
  subtitles: false,
  background: '#1f2426',
  alpha: false,
} as const;
const nothing = (): boolean => false;

test('a preset sets size, rate, framing, format, background and transparency', () => {
  expect(withPreset(flags, film('short'), nothing)).toMatchObject({
    size: { width: 1080, height: 1920 },
    ...{ rate: '30', framing: 'bust', format: 'mp4', alpha: false },
  });
  expect(withPreset(flags, film('obs'), nothing)).toMatchObject({ format: 'webm', alpha: true });
  const blue = { ...film('short'), background: '#0000ff' };
  expect(withPreset(flags, blue, nothing)).toMatchObject({ background: '#0000ff', alpha: false });
});

test('options that are given and the extension of the path replace what a preset sets', () => {
  const given = (name: string): boolean => ['rate', 'background'].includes(name);
  const made = withPreset({ ...flags, out: 'x.webm' }, film('obs'), given);
  expect(made).toMatchObject({ rate: '25', alpha: false, size: { width: 1920, height: 1080 } });
  expect(made).not.toHaveProperty('format');
});

test('built-in presets are exports that can be made', () => {
  for (const name of filmPresetNames) expect(VideoOptions.parse(film(name))).toEqual(film(name));
  for (const name of ['web', 'vtuber', 'vrchat'])
    expect(HeadPreset.parse(headPresetNamed(name, nobodys))).toMatchObject({ name });
});

test('the user’s presets are found by name, before built-in ones; an unknown name lists all', () => {
  const own = TakePreset.parse({
    name: 'short',
    ...{ formats: ['srt'], rate: '25', fileName: '{take}', film: null },
  });
  const presets = { ...nobodys, takePresets: [own] };
  expect(takePresetNamed('short', presets)).toBe(own);
  expect(() => filmPresetNamed('short', presets)).toThrow(/has no film/);
  const refusal = (name: string): Failure => {
    try {
      headPresetNamed(name, {
        ...nobodys,
        headPresets: [{ name: 'Game', formats: ['fbx'], names: 'as-is', fileName: '{name}' }],
      });
    } catch (error) {
      return error as Failure;
    }
    throw new Error(`${name} was found`);
  };
  expect(refusal('game')).toMatchObject({ code: 'not_found', hint: 'Presets: Game, web, vtuber, vrchat.' });
});
