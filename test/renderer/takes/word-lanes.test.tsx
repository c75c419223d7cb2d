/** Words under a take's waveform, what is said in it, and its two faces. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { alignmentOf, takeOf } from '../../fixtures/studio/takes.ts';
import { openStudio } from '../open_studio.tsx';

// Loaded on demand: many modules, which are not to run down the first test's clock.
beforeAll(() => import('../../../renderer/takes/Takes.tsx').then(() => undefined));
beforeEach(() => page.viewport(1280, 900));

const inputs = (calls: { name: string; input: unknown }[], name: string): unknown[] =>
  calls.filter((call) => call.name === name).map(({ input }) => input);

const words = alignmentOf(8, { 3: 'changed', 5: 'left_out' });
const open = () =>
  openStudio(
    {
      takes: {
        takes: [takeOf(4, { script: { language: 'en', fileName: '', characters: 40 } })],
        words: { 'take-4': { ...words, unknown: ['harbour'] } },
        scripts: { 'take-4': { text: 'the harbour was quiet', language: 'en', fileName: '' } },
      },
    },
    '#/takes/take-4',
  );
const word = (name: RegExp) => page.getByRole('option', { name });
const timesOf = (input: unknown) => input as { id: string; index: number; start: number; end: number };

/** Presses an edge of the chosen word and moves it; the pointer is still down then. */
function dragEdge(side: 'start' | 'end', by: number): (type: 'pointerup') => void {
  const edge = document.querySelector<HTMLElement>(`[data-edge="${side}"]`)!;
  const { x, y } = edge.getBoundingClientRect();
  // The pointer is a made-up one, which a browser refuses to capture.
  edge.setPointerCapture = () => undefined;
  const send = (type: string, clientX: number): void => {
    edge.dispatchEvent(
      new PointerEvent(type, { bubbles: true, pointerId: 1, clientX, clientY: y, button: 0 }),
    );
  };
  send('pointerdown', x);
  send('pointermove', x + by);
  return (type) => send(type, x + by);
}

test('a word is chosen by click and by arrows, moved by Shift and an arrow, and moved back', async () => {
  const fake = await open();
  await expect.element(word(/^harbour/)).toBeVisible();
  await expect.element(page.getByRole('option', { selected: true, name: /^the,/ })).not.toBeInTheDocument();
  await word(/^harbour/).click();
  await expect.element(word(/^harbour/)).toHaveAttribute('aria-selected', 'true');
  expect(document.querySelector('audio')!.currentTime).toBeGreaterThanOrEqual(words.words[1]!.start);
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(word(/^was/)).toHaveAttribute('aria-selected', 'true');
  const lanes = page.getByRole('listbox', { name: 'Words of the take' });
  await expect.element(lanes).toHaveAttribute('aria-activedescendant', word(/^was/).element().id);
  await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
  await expect.poll(() => inputs(fake.calls, 'takes.moveWord')).toHaveLength(2);
  const was = words.words[2]!;
  const last = timesOf(inputs(fake.calls, 'takes.moveWord')[1]);
  expect(last).toMatchObject({ id: 'take-4', index: 2 });
  expect(last.start).toBeCloseTo(was.start + 0.02, 9);
  await userEvent.keyboard('{Control>}z{/Control}');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(() => inputs(fake.calls, 'takes.undoMove')).toHaveLength(2);
  await expect.element(page.getByLabelText('Start')).toHaveValue(`${was.start.toFixed(2)} s`);
});

test('an edge that is dragged is seen at once and kept where it is let go; Escape lets it be', async () => {
  const fake = await open();
  await word(/^harbour/).click();
  const width = (): number =>
    word(/^harbour/)
      .element()
      .getBoundingClientRect().width;
  const before = width();
  dragEdge('start', 10);
  await expect.poll(width).toBeLessThan(before - 8);
  await userEvent.keyboard('{Escape}');
  await expect.poll(width).toBeCloseTo(before, 0);
  expect(inputs(fake.calls, 'takes.moveWord')).toEqual([]);

  dragEdge('end', 12)('pointerup');
  await expect.poll(() => inputs(fake.calls, 'takes.moveWord')).toHaveLength(1);
  const moved = timesOf(inputs(fake.calls, 'takes.moveWord')[0]);
  expect(moved.start).toBe(words.words[1]!.start);
  expect(moved.end).toBeGreaterThan(words.words[1]!.end + 0.03);
  await expect.poll(width).toBeGreaterThan(before + 8);
});

test('times are typed; one that makes no sense is refused where it stands', async () => {
  const fake = await open();
  await word(/^harbour/).click();
  const end = page.getByLabelText('End');
  await end.fill('0.1');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('The end must be after the start.')).toBeVisible();
  expect(inputs(fake.calls, 'takes.moveWord')).toEqual([]);
  await end.fill('0.7');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => inputs(fake.calls, 'takes.moveWord')).toHaveLength(1);
  expect(timesOf(inputs(fake.calls, 'takes.moveWord')[0]).end).toBe(0.7);
});

test('words that differ are told with what was expected, and led to', async () => {
  await open();
  await expect.element(word(/^quiet, .*something else is said here/)).toBeVisible();
  await page.getByRole('button', { name: '2 words differ' }).click();
  await page.getByRole('menuitem', { name: /The transcript has “a” here, but the speaker skips it/ }).click();
  await expect.element(word(/^a, .*not said here/)).toHaveAttribute('aria-selected', 'true');
  await expect
    .element(page.getByText(/^The transcript has “a” here, but the speaker skips it\./))
    .toBeVisible();
});

test('what is said is typed or read from a file, and unknown words keep how they are said', async () => {
  const fake = await open();
  await page.getByRole('button', { name: 'Transcript', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Transcript of this take' });
  await expect
    .element(dialog.getByRole('textbox', { name: 'Transcript' }))
    .toHaveValue('the harbour was quiet');
  await dialog.getByRole('textbox', { name: 'Pronunciation of “harbour”' }).fill('HH AA R B ER');
  const input = dialog.element().querySelector<HTMLInputElement>('input[type=file]')!;
  await userEvent.upload(input, new File(['from a file'], 'line.txt', { type: 'text/plain' }));
  await expect.element(dialog.getByRole('textbox', { name: 'Transcript' })).toHaveValue('from a file');
  await dialog.getByRole('button', { name: 'Use this transcript' }).click();
  await expect
    .poll(() => inputs(fake.calls, 'takes.setScript'))
    .toEqual([{ id: 'take-4', script: { text: 'from a file', language: 'auto', fileName: 'line.txt' } }]);
  expect(inputs(fake.calls, 'app.changeSettingsFrom')).toMatchObject([
    { changes: { pronunciations: [{ word: 'harbour', phones: 'HH AA R B ER' }] } },
  ]);
});

test('either face is shown; hearing is followed, stopped, and its trouble told', async () => {
  const fake = await open();
  await page.getByRole('radiogroup', { name: 'Face' }).getByText('Live').click();
  await expect.poll(() => inputs(fake.calls, 'takes.showFace')).toEqual([{ id: 'take-4', face: 'live' }]);
  fake.emit('takes', 'analysis', { id: 'take-4', stage: 'aligning', share: 0.4, problem: '' });
  await expect.element(page.getByRole('progressbar', { name: 'Aligning the words' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => inputs(fake.calls, 'takes.stopAnalysis')).toEqual([{ id: 'take-4' }]);
  fake.emit('takes', 'analysis', {
    id: 'take-4',
    stage: 'failed',
    share: 0,
    problem: 'The sound can’t be read.',
  });
  await expect.element(page.getByText('The sound can’t be read.')).toBeVisible();
});

test('a script alone goes to the take that is shown; one that fits no sound is told', async () => {
  const fake = await open();
  await expect.element(word(/^harbour/)).toBeVisible();
  const input = document.querySelector<HTMLInputElement>('#main input[type=file]')!;
  await userEvent.upload(input, new File(['now this'], 'any.txt', { type: 'text/plain' }));
  await expect
    .poll(() => inputs(fake.calls, 'takes.setScript'))
    .toEqual([{ id: 'take-4', script: { text: 'now this', language: 'auto', fileName: 'any.txt' } }]);
  await userEvent.upload(input, [new File(['one'], 'one.txt'), new File(['two'], 'two.txt')]);
  await expect.element(page.getByText('2 transcripts match no audio file')).toBeVisible();
});
