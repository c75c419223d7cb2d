/** Subtitles are drawn over the head, where their cue is, inside the picture, and wrapped where they are too long. */
import { expect, test } from 'vitest';
import { FilmSubtitles, subtitleAt } from '../../../../renderer/takes/video/film-subtitles.ts';

const size = { width: 320, height: 180 };
const cue = (...lines: string[]) => ({ start: 1, end: 2, lines });
const red = (width: number, height: number): Uint8Array =>
  Uint8Array.from({ length: width * height * 4 }, (_, at) => (at % 4 === 0 || at % 4 === 3 ? 255 : 0));
const head = { area: { left: 100, top: 20, width: 120, height: 160 }, pixels: red(120, 160) };

/** Rows of the picture with light letters, from its top. */
function lightRows({ area, pixels }: typeof head): number[] {
  const rows = Array.from({ length: area.height }, (_, row) => row).filter((row) => {
    const from = (area.height - 1 - row) * area.width * 4;
    for (let at = from; at < from + area.width * 4; at += 4)
      if (pixels[at + 1]! > 200 && pixels[at + 3]! === 255) return true;
    return false;
  });
  return rows.map((row) => row + area.top);
}

test('a frame outside every cue stays as it is; within one, letters lie over it near the bottom', () => {
  const subtitles = new FilmSubtitles({ ...size, subtitles: [cue('Hello there')] });
  expect(subtitles.over(head, 0.5)).toBe(head);
  expect(subtitles.over(head, 2)).toBe(head);
  const drawn = subtitles.over(head, 1);
  const rows = lightRows(drawn);
  expect(rows.length).toBeGreaterThan(3);
  expect(Math.min(...rows)).toBeGreaterThan(size.height * 0.7);
  expect(Math.max(...rows)).toBeLessThan(size.height);
  // The head's upper left corner is where it was.
  const { area, pixels } = drawn;
  const at = ((area.top + area.height - 1 - head.area.top) * area.width + head.area.left - area.left) * 4;
  expect([...pixels.slice(at, at + 4)]).toEqual([255, 0, 0, 255]);
  expect(area.left + area.width).toBeLessThanOrEqual(size.width);
  for (const side of [area.left, area.top, area.width, area.height]) expect(side % 2).toBe(0);
});

test('a line that is too long for a tall film is wrapped, also without spaces', () => {
  const tall = { width: 180, height: 320 };
  const heightOf = (...lines: string[]): number =>
    lightRows(new FilmSubtitles({ ...tall, subtitles: [cue(...lines)] }).over(head, 1)).length;
  const one = heightOf('Short');
  expect(heightOf('This line is much too long for a phone')).toBeGreaterThan(one * 1.8);
  expect(heightOf('这一行文字对于手机屏幕来说实在是太长了，放不下。')).toBeGreaterThan(one * 1.8);
});

test('a preview has the film’s text where the film has it, and none between cues', () => {
  const job = { ...size, subtitles: [cue('Hello there')] };
  expect(subtitleAt(job, 0.5)).toBeNull();
  const { area, context } = subtitleAt(job, 1)!;
  const { data } = context.getImageData(0, 0, area.width, area.height);
  const upsideDown = new Uint8Array(data.length);
  const row = area.width * 4;
  for (let y = 0; y < area.height; y++)
    upsideDown.set(data.subarray(y * row, (y + 1) * row), (area.height - 1 - y) * row);
  const inFilm = lightRows(new FilmSubtitles(job).over(head, 1));
  expect(lightRows({ area, pixels: upsideDown })).toEqual(inFilm);
});
