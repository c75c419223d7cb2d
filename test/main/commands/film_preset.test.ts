/** Presets of `likeness video`: what they set, and which options replace it. */
import { expect, test } from 'vitest';
import { VideoOptions } from '#contract';
import { filmPresetNames, filmPresets } from '#contract/video_options.ts';
import { withPreset } from '../../../main/commands/film_preset.ts';

const flags = {
  out: 'films',
  size: { width: 1280, height: 720 },
  rate: '25',
  framing: 'head',
  camera: 'front',
  alpha: false,
} as const;
const nothing = (): boolean => false;

test('a preset sets size, rate, framing, format and transparency', () => {
  expect(withPreset({ ...flags, preset: 'short' }, nothing)).toMatchObject({
    size: { width: 1080, height: 1920 },
    ...{ rate: '30', framing: 'bust', format: 'mp4', alpha: false },
  });
  expect(withPreset({ ...flags, preset: 'obs' }, nothing)).toMatchObject({ format: 'webm', alpha: true });
  expect(withPreset(flags, nothing)).toBe(flags);
});

test('options that are given and the extension of the path replace what a preset sets', () => {
  const given = (name: string): boolean => ['rate', 'background'].includes(name);
  const made = withPreset({ ...flags, out: 'x.webm', preset: 'obs' }, given);
  expect(made).toMatchObject({ rate: '25', alpha: false, size: { width: 1920, height: 1080 } });
  expect(made).not.toHaveProperty('format');
});

test.each(filmPresetNames)('the film of %s is one that can be made', (name) => {
  const options = { ...filmPresets[name], picture: null, detail: 'auto' };
  expect(VideoOptions.parse(options)).toMatchObject(filmPresets[name]);
  // MP4 has no transparency.
  const { format, background }: { format: string; background: string } = options;
  expect([format, background]).not.toEqual(['mp4', 'transparent']);
});
