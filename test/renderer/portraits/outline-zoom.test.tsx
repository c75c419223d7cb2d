import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { fitted, limited, showing, zoomed } from '../../../renderer/portraits/outline/zoomed-view.ts';
import { stockPhotos } from '../../fixtures/studio/stock.ts';
import type { FakeStudio } from '../../fixtures/studio/studio.ts';
import { openStudio } from '../open_studio.tsx';

beforeEach(() => page.viewport(1280, 800));

const bounds = { stage: { width: 800, height: 600 }, photo: { width: 450, height: 600 }, most: 12 };

test('what is under the pointer stays there, and a zoomed photo never leaves its stage bare', () => {
  const at = { x: 100, y: -50 };
  /** Where in the photo a place of the stage is, from its middle, in parts of its width. */
  const under = ({ zoom, x, y }: typeof fitted) => [(at.x - x) / (450 * zoom), (at.y - y) / (450 * zoom)];
  const near = zoomed(fitted, 4, at, bounds);
  expect(near.zoom).toBe(4);
  for (const [i, part] of under(near).entries()) expect(part).toBeCloseTo(under(fitted)[i]!, 6);
  expect(zoomed(near, 100, at, bounds).zoom).toBe(12);
  expect(zoomed(near, 1e-3, at, bounds)).toEqual(fitted);
  expect(limited({ zoom: 4, x: 9999, y: -9999 }, bounds)).toEqual({ zoom: 4, x: 500, y: -900 });
  // Narrower than the stage it stands in the middle.
  expect(limited({ zoom: 1.5, x: 300, y: 0 }, bounds).x).toBe(0);
});

test('a place that the brush goes to comes onto the stage, and no further than it takes', () => {
  const view = { zoom: 8, x: 0, y: 0 };
  expect(showing(view, { x: 0.5, y: 0.5 }, bounds)).toEqual(view);
  const shown = showing(view, { x: 0.75, y: 0.5 }, bounds);
  expect(0.25 * 450 * 8 + shown.x).toBeCloseTo(800 / 2 - 80, 6);
  expect(shown.y).toBe(0);
});

const area = (): DOMRect => page.getByRole('application').element().getBoundingClientRect();
const fraction = (x: number, y: number): [number, number] => {
  const { left, top, width, height } = area();
  return [(x - left) / width, (y - top) / height];
};
const strokesOf = (fake: FakeStudio): { points: number[] }[] =>
  (
    fake.calls.filter(({ name }) => name === 'batch.outline').at(-1)?.input as
      | { corrections: { strokes: { points: number[] }[] } | null }
      | undefined
  )?.corrections?.strokes ?? [];
function point(type: string, x: number, y: number, more: PointerEventInit = {}): void {
  const under = document.elementFromPoint(x, y)!;
  under.dispatchEvent(
    new PointerEvent(type, {
      clientX: x,
      clientY: y,
      bubbles: true,
      cancelable: true,
      pointerId: 1,
      ...more,
    }),
  );
}
const settle = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

async function open(): Promise<FakeStudio> {
  const fake = await openStudio(
    { batch: { photos: stockPhotos(3).map((photo) => ({ ...photo, width: 1800, height: 2400 })) } },
    '#/portraits/outline/photo-1',
  );
  await expect.element(page.getByText('Please check the outline')).toBeVisible();
  // The photo has its shape when its picture is there.
  await expect
    .poll(() => document.querySelector<HTMLImageElement>('img[src*=photo]')?.naturalWidth ?? 0)
    .toBeGreaterThan(0);
  await settle();
  // No pointer of a person's: captures of such ids are refused.
  Element.prototype.setPointerCapture = () => undefined;
  return fake;
}

test('the wheel zooms to the pointer, the middle button moves the photo, and a stroke keeps the photo’s own places', async () => {
  const fake = await open();
  const before = area();
  const [x, y] = [before.left + before.width * 0.6, before.top + before.height * 0.25];
  const place = fraction(x, y);
  const wheel = new WheelEvent('wheel', {
    clientX: x,
    clientY: y,
    deltaY: -600,
    bubbles: true,
    cancelable: true,
  });
  document.elementFromPoint(x, y)!.dispatchEvent(wheel);
  await settle();
  expect(wheel.defaultPrevented).toBe(true);
  expect(area().width).toBeGreaterThan(before.width * 3);
  for (const [i, part] of fraction(x, y).entries()) expect(part).toBeCloseTo(place[i]!, 2);

  const held = area();
  point('pointerdown', x, y, { button: 1 });
  point('pointermove', x - 40, y + 20, { button: 1 });
  await settle();
  point('pointerup', x - 40, y + 20, { button: 1 });
  await settle();
  expect(area().left - held.left).toBeCloseTo(-40, 0);
  expect(area().top - held.top).toBeCloseTo(20, 0);
  expect(strokesOf(fake)).toEqual([]);

  const wanted = fraction(x, y);
  point('pointerdown', x, y, { button: 0 });
  await settle();
  point('pointermove', x + 60, y, { button: 0 });
  await settle();
  point('pointerup', x + 60, y, { button: 0 });
  await expect.poll(() => strokesOf(fake)).toHaveLength(1);
  const points = strokesOf(fake)[0]!.points;
  expect(points[0]).toBeCloseTo(wanted[0], 3);
  expect(points[1]).toBeCloseTo(wanted[1], 3);
});

test('by keys and buttons: larger, smaller, one to one, all of it; the brush takes the view along', async () => {
  await open();
  const whole = area().width;
  await userEvent.keyboard('++');
  await expect.poll(() => area().width).toBeCloseTo(whole * 1.5625, 0);
  await userEvent.keyboard('-');
  await expect.poll(() => area().width).toBeCloseTo(whole * 1.25, 0);
  await userEvent.keyboard('0');
  await expect.poll(() => area().width).toBeCloseTo(whole, 0);
  await userEvent.keyboard('1');
  await expect.element(page.getByRole('button', { name: '100%' })).toBeVisible();
  await page.getByRole('button', { name: 'Show the whole photo' }).click();
  await expect.poll(() => area().width).toBeCloseTo(whole, 0);
  for (let i = 0; i < 6; i++) await page.getByRole('button', { name: 'Zoom in' }).click();
  (page.getByRole('application').element() as HTMLElement).focus();
  const seen = (): boolean => {
    const brush = document.querySelector('circle[data-kind]')?.getBoundingClientRect();
    const stage = page
      .getByRole('region', { name: 'Photo with its outline' })
      .element()
      .getBoundingClientRect();
    return brush !== undefined && brush.left > stage.left && brush.right < stage.right;
  };
  await userEvent.keyboard(
    '{Shift>}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{/Shift}',
  );
  await expect.poll(seen).toBe(true);
  // It was carried: from the middle it would be beyond the edge.
  expect(area().right - area().width / 2).toBeLessThan(innerWidth / 2);
});

test('Space and drag moves the photo and paints nothing; Space alone still sets the brush down', async () => {
  const fake = await open();
  for (let i = 0; i < 6; i++) await userEvent.keyboard('+');
  await settle();
  (page.getByRole('application').element() as HTMLElement).focus();
  const before = area();
  await userEvent.keyboard('{ >}');
  point('pointerdown', 500, 400, { button: 0 });
  point('pointermove', 540, 400, { button: 0 });
  await settle();
  point('pointerup', 540, 400, { button: 0 });
  await userEvent.keyboard('{/ }');
  await settle();
  expect(area().left - before.left).toBeCloseTo(40, 0);
  expect(document.querySelector('[data-fresh]')).toBeNull();
  expect(strokesOf(fake)).toEqual([]);
  await userEvent.keyboard(' {ArrowRight} ');
  await expect.poll(() => strokesOf(fake)).toHaveLength(1);
});

test('two fingers enlarge and move, and what the first had begun to paint is dropped', async () => {
  const fake = await open();
  const before = area();
  const touch = { pointerType: 'touch', button: 0 };
  const middle = before.left + before.width / 2;
  const y = before.top + before.height / 2;
  point('pointerdown', middle - 50, y, { ...touch, pointerId: 11 });
  await settle();
  expect(document.querySelector('[data-fresh]')).not.toBeNull();
  point('pointerdown', middle + 50, y, { ...touch, pointerId: 12 });
  point('pointermove', middle - 100, y, { ...touch, pointerId: 11 });
  point('pointermove', middle + 100, y, { ...touch, pointerId: 12 });
  await settle();
  point('pointerup', middle - 100, y, { ...touch, pointerId: 11 });
  point('pointerup', middle + 100, y, { ...touch, pointerId: 12 });
  await settle();
  expect(area().width / before.width).toBeCloseTo(2, 1);
  expect(document.querySelector('[data-fresh]')).toBeNull();
  expect(strokesOf(fake)).toEqual([]);
});

test('the editor’s keys can be changed, and it shows those that apply', async () => {
  await openStudio(
    { batch: { photos: stockPhotos(1) }, settings: { shortcuts: { 'outline.background': ['X'] } } },
    '#/portraits/outline/photo-1',
  );
  const brush = page.getByRole('radiogroup', { name: 'Brush' });
  await expect.element(brush.getByText('X', { exact: true })).toBeVisible();
  await userEvent.keyboard('b');
  await expect.element(brush.getByRole('radio', { name: /Head and hair/ })).toBeChecked();
  await userEvent.keyboard('x');
  await expect.element(brush.getByRole('radio', { name: /Background/ })).toBeChecked();
  await userEvent.keyboard('h');
  await expect.element(brush.getByRole('radio', { name: /Head and hair/ })).toBeChecked();
});
