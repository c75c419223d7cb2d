import { describe, expect, test } from 'vitest';
import type { VideoOptions } from '#contract';
import { azimuthAt, filmCamera } from '../../../../renderer/speaking/film/film-framing.ts';
import { chosen, filmChoice, filmEstimate, isSide } from '../../../../renderer/takes/video/film-choice.ts';
import { missingCodec, videoConfig } from '../../../../renderer/takes/video/film-codecs.ts';
import { FilmTimer } from '../../../../renderer/takes/video/film-timer.ts';

const options: VideoOptions = filmChoice.get();

describe('what is chosen for a film', () => {
  test('is never a transparent MP4', () => {
    expect(options.background).toBe('transparent');
    expect(chosen(options, { format: 'mp4' }).background).toMatch(/^#/);
    expect(chosen(options, { format: 'png' }).background).toBe('transparent');
    const mp4 = chosen(options, { format: 'mp4' });
    expect(chosen(mp4, { background: 'transparent' })).toMatchObject({ format: 'webm' });
  });

  test('stands before a colour where it has a picture', () => {
    const picture = { id: 'a', fit: 'contain' } as const;
    expect(chosen(options, { picture })).toMatchObject({ picture, background: '#1f2426' });
    expect(chosen({ ...options, background: '#ff0000' }, { picture }).background).toBe('#ff0000');
  });

  test('has sides that codecs take', () =>
    expect([64, 1080, 3840, 62, 1081, 3842, Number.NaN].map(isSide)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]));

  test('is estimated by its frames and bits', () => {
    expect(filmEstimate({ ...options, rate: '29.97' }, 10).frames).toBe(300);
    expect(filmEstimate({ ...options, rate: '24' }, 1.01).frames).toBe(25);
    expect(filmEstimate({ ...options, format: 'png' }, 10).bytes).toBeNull();
    const [clear, solid] = ['transparent', '#000000'].map(
      (background) => filmEstimate({ ...options, background }, 60).bytes!,
    );
    expect(clear).toBeGreaterThan(solid!);
  });
});

describe('an encoder', () => {
  const rate = { numerator: 30, denominator: 1 };

  test.each([
    ['webm', 1280, 720, 'vp09.00.31.08'],
    ['webm', 3840, 2160, 'vp09.00.50.08'],
    ['mp4', 1280, 720, 'avc1.64001f'],
    ['mp4', 1920, 1080, 'avc1.640028'],
  ] as const)('of %s at %i × %i is asked for by its level', (format, width, height, codec) =>
    expect(videoConfig({ format, width, height, rate }, 'colour')).toMatchObject({ codec, width, height }),
  );

  test('of WebM is in every Chromium', async () =>
    expect(await missingCodec({ format: 'webm', width: 1920, height: 1080, rate })).toBeNull());
});

describe('the camera of a film', () => {
  const head = { height: 0.42, middle: 1.5, top: 1.71, bottom: 1.29, eyes: 1.6, across: 0.34 };

  test('stands further away where the picture is narrow', () => {
    const wide = filmCamera('bust', head, 16 / 9);
    const narrow = filmCamera('bust', head, 9 / 16);
    expect(narrow.distance).toBeGreaterThan(wide.distance);
    // All of the width is in the picture.
    const seen = 2 * narrow.distance * Math.tan((11 * Math.PI) / 180) * (9 / 16);
    expect(seen).toBeGreaterThan(head.across);
  });

  test('goes once around on a turntable, and ends where it began', () => {
    expect(azimuthAt('turntable', 0, 120)).toBe(0);
    expect(azimuthAt('turntable', 60, 120)).toBeCloseTo(Math.PI);
    expect(azimuthAt('turntable', 120, 120)).toBeCloseTo(2 * Math.PI);
    expect(azimuthAt('front', 60, 120)).toBe(0);
  });
});

describe('how long a film takes still', () => {
  test('is known after some frames, without those that were there already', () => {
    const timer = new FilmTimer();
    expect(timer.left(40, 100, 1000)).toBeNull();
    expect(timer.left(41, 100, 1100)).toBeNull();
    expect(timer.left(50, 100, 2000)).toBeCloseTo(5);
  });
});
