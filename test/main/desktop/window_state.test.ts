import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWindowState, windowBounds } from '../../../main/shell/electron/window_state.ts';

const laptop = { workArea: { x: 0, y: 25, width: 1280, height: 775 } };
const beside = { workArea: { x: 1280, y: 0, width: 2560, height: 1440 } };
const at = (x: number, y: number, width = 1200, height = 700) => ({ x, y, width, height, maximized: false });

describe('the window’s bounds', () => {
  test('first time: the usual size, no larger than the screen, centred by Electron', () => {
    expect(windowBounds(null, [beside])).toMatchObject({ width: 1440, height: 900 });
    const small = windowBounds(null, [laptop]);
    expect(small).toMatchObject({ width: 1280, height: 775 });
    expect(small).not.toHaveProperty('x');
  });

  test('again: where it was, also on the second screen', () => {
    expect(windowBounds(at(40, 60), [laptop, beside])).toMatchObject({
      x: 40,
      y: 60,
      width: 1200,
      height: 700,
    });
    expect(windowBounds(at(1400, 60), [laptop, beside])).toMatchObject({ x: 1400, y: 60 });
  });

  test.each([
    ['its screen was unplugged', at(1400, 60)],
    ['only a sliver is in sight', at(1220, 60)],
    ['it is above the screen', at(40, -200)],
    ['it is below the screen', at(40, 795)],
  ])('back in sight where %s', (_why, state) => {
    expect(windowBounds(state, [laptop])).not.toHaveProperty('x');
  });

  test('no larger than the screen it comes back on', () => {
    expect(windowBounds(at(0, 25, 2500, 1400), [laptop])).toMatchObject({ width: 1280, height: 775 });
  });
});

test('a file that makes no sense counts as none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-window-'));
  const file = join(folder, 'window.json');
  expect(readWindowState(file)).toBe(null);
  for (const text of ['{"x": "left"}', '{"x": 1', 'null', JSON.stringify({ ...at(40, 60), maximized: 1 })]) {
    writeFileSync(file, text);
    expect(readWindowState(file)).toBe(null);
  }
  writeFileSync(file, JSON.stringify(at(40, 60)));
  expect(readWindowState(file)).toEqual(at(40, 60));
  rmSync(folder, { recursive: true });
});
