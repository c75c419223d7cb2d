/** Tracks of expressions, looks, blinks and cuts: made by a double click, dragged, and all of it by keys. */
import type { EditOperation } from '@likeness/proto/takes/edits/take_edits.ts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { FakeStudio } from '../../../fixtures/studio/studio.ts';
import { takeOf } from '../../../fixtures/studio/takes.ts';
import { openStudio } from '../../open_studio.tsx';

// Loaded on demand: many modules, which are not to run down the first test's clock.
beforeAll(() => import('../../../../renderer/takes/Takes.tsx').then(() => undefined));
beforeEach(() => page.viewport(1280, 900));

const open = async (): Promise<FakeStudio> => {
  const fake = await openStudio({ takes: { takes: [takeOf(4)] } }, '#/takes/take-4');
  await expect.element(page.getByRole('button', { name: 'Jaw', exact: true })).toBeVisible();
  return fake;
};
const operations = ({ calls }: FakeStudio): EditOperation[] =>
  calls
    .filter(({ name }) => name === 'takeEdits.apply')
    .flatMap(({ input }) => (input as { operations: EditOperation[] }).operations);
const lane = (name: string) => page.getByRole('listbox', { name, exact: true });
const part = (name: RegExp) => page.getByRole('option', { name });
const box = (element: Element) => element.getBoundingClientRect();

/** Drags what is at an element by so many pixels, and lets go. */
function drag(element: HTMLElement, by: number, altKey = false): void {
  const { x, y, width, height } = box(element);
  // A browser refuses to capture a made-up pointer.
  for (let target: HTMLElement | null = element; target; target = target.parentElement)
    target.setPointerCapture = () => undefined;
  const send = (type: string, clientX: number): void => {
    const at = { clientX, clientY: y + height / 2, pointerId: 1, button: 0, altKey };
    element.dispatchEvent(new PointerEvent(type, { bubbles: true, ...at }));
  };
  send('pointerdown', x + width / 2);
  send('pointermove', x + width / 2 + by);
  send('pointerup', x + width / 2 + by);
}

test('a double click makes an expression; it is dragged, trimmed, copied, and typed beside it', async () => {
  const fake = await open();
  const { width } = box(lane('Expressions').element());
  await lane('Expressions').dblClick({ position: { x: width / 4, y: 14 } });
  await expect.element(part(/^Joy 60/)).toHaveAttribute('aria-selected', 'true');
  const [made] = operations(fake);
  const keysOf = (operation: EditOperation | undefined) =>
    operation?.kind === 'expressions' ? operation.keys.map(({ time }) => time) : [];
  expect(keysOf(made)[0]).toBeCloseTo(1, 1);
  expect(keysOf(made)[3]! - keysOf(made)[0]!).toBeCloseTo(1.2, 6);

  drag(part(/^Joy 60/).element() as HTMLElement, width / 8);
  await expect.poll(() => operations(fake)).toHaveLength(2);
  expect(keysOf(operations(fake)[1])[0]).toBeCloseTo(1.5, 1);
  const end = part(/^Joy 60/)
    .element()
    .querySelector<HTMLElement>('[data-grip="to"]')!;
  drag(end, -width / 8);
  await expect.poll(() => operations(fake)).toHaveLength(3);
  expect(keysOf(operations(fake)[2])[3]).toBeCloseTo(2.2, 1);

  const strength = page.getByRole('textbox', { name: 'Strength' });
  await strength.fill('0.8');
  await userEvent.keyboard('{Enter}');
  await expect.element(part(/^Joy 80/)).toBeVisible();
  await page.getByRole('radio', { name: 'Anger' }).click();
  await expect.element(part(/^Anger 80/)).toBeVisible();
  drag(part(/^Anger 80/).element() as HTMLElement, width / 4, true);
  await expect.poll(() => page.getByRole('option', { name: /^Anger 80/ }).elements()).toHaveLength(2);
});

test('the palette adds a blink where the playhead is', async () => {
  const fake = await open();
  await userEvent.keyboard('{Control>}k{/Control}');
  await page.getByPlaceholder('Find a head, go to, do…').fill('blink');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.poll(() => operations(fake)).toMatchObject([{ kind: 'blinks' }]);
});

test('a moment lies at the same place on a track and on the ruler, beside a scrollbar as well', async () => {
  await open();
  // Tests have scrollbars without a width.
  document.querySelector<HTMLElement>('[data-scrolls]')!.style.borderRight = '12px solid transparent';
  await expect.poll(() => document.querySelector('canvas[data-timeline]')).not.toBeNull();
  const canvas = document.querySelector('canvas[data-timeline]')!;
  const ruler = box(canvas);
  const blinks = box(lane('Blinks').element());
  expect([blinks.left, blinks.right]).toEqual([ruler.left, ruler.right]);
});

test('blinks and looks are made, moved, copied and deleted by keys', async () => {
  const fake = await open();
  lane('Blinks').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(part(/^Blink at 0/)).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
  await expect.poll(() => operations(fake)).toHaveLength(3);
  expect(operations(fake)[2]).toMatchObject({ blinks: { added: [expect.closeTo(2 / 60, 6)] } });
  await userEvent.keyboard('{Delete}');
  await expect.poll(() => operations(fake).at(-1)).toMatchObject({ blinks: { added: [] } });
  // Those of the recording are seen; they are kept or left out together.
  await expect.element(part(/^Recorded blink at 2/)).toBeVisible();
  await part(/^Recorded blink at 2/).click();
  await page.getByRole('switch', { name: 'Keep recorded blinks' }).click();
  await expect.element(part(/^Recorded blink/)).not.toBeInTheDocument();

  lane('Gaze').element().focus();
  await userEvent.keyboard('{Home}{Enter}');
  await expect.element(part(/^Gaze 10° right/)).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Control>}c{/Control}');
  page.getByRole('slider', { name: 'Position in the take' }).element().focus();
  await userEvent.keyboard('{Home}{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
  lane('Gaze').element().focus();
  await userEvent.keyboard('{Control>}v{/Control}');
  await expect
    .poll(() => operations(fake).at(-1))
    .toMatchObject({ kind: 'gaze', stretches: [{ from: 0 }, { from: expect.closeTo(2, 1) }] });
});

test('a cut is a fold: what comes after it moves up, and its ends are typed', async () => {
  const fake = await open();
  page.getByRole('slider', { name: 'Position in the take' }).element().focus();
  await userEvent.keyboard('{Home}{Shift>}{ArrowRight}{/Shift}i{Shift>}{ArrowRight}{/Shift}ox');
  const fold = part(/^Cut at 1/);
  await expect.element(fold).toBeVisible();
  const area = box(lane('Cuts').element());
  const middle = (): number => (box(fold.element()).left + box(fold.element()).right) / 2;
  // One of the three seconds that are left.
  await expect.poll(() => (middle() - area.left) / area.width).toBeCloseTo(1 / 3, 2);
  await fold.click();
  const to = page.getByRole('textbox', { name: 'To, seconds' });
  await expect.element(to).toHaveValue('2');
  await to.fill('1.5');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => operations(fake).at(-1))
    .toMatchObject({ kind: 'pieces', pieces: [{ to: 1 }, { from: 1.5 }] });
  lane('Cuts').element().focus();
  await userEvent.keyboard('{Delete}');
  await expect.poll(() => operations(fake).at(-1)).toEqual({ kind: 'pieces', pieces: [] });
});
