/** A head’s look: chosen beside the head, made as a version, shown beside the one before, brought back. */
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { jobOf, photoOf } from '../../fixtures/studio/batch.ts';
import { modelOf } from '../../fixtures/studio/library.ts';
import { openStudio } from '../open_studio.tsx';

beforeEach(() => page.viewport(1440, 900));

const head = modelOf(1, {
  hasPortrait: true,
  glasses: false,
  timings: { submittedAt: 1, doneAt: 2, seconds: 18 },
});
const earlier = {
  id: 'first',
  madeAt: head.madeAt - 60_000,
  engine: 'portrait-29',
  profileName: '',
  bytes: 1,
  options: { hair: 'bald' as const },
};
const open = (models = [head]) => openStudio({ batch: {}, library: { models } }, '#/library/model/model-1');
const orders = (fake: Awaited<ReturnType<typeof openStudio>>) =>
  fake.calls.filter(({ name }) => name === 'batch.makeAgain').map(({ input }) => input);
const previews = (fake: Awaited<ReturnType<typeof openStudio>>) =>
  fake.calls.filter(({ name }) => name === 'batch.previewHead').map(({ input }) => input);
/** Heads whose previews were prepared; null: no longer. */
const prepared = (fake: Awaited<ReturnType<typeof openStudio>>) =>
  fake.calls
    .filter(({ name }) => name === 'batch.prepareHeadPreview')
    .map(({ input }) => (input as { modelId: string | null }).modelId);
const make = (number: number) => page.getByRole('button', { name: `Make version ${number}` });

test('Speak is the first thing on a head’s page, whose tab has the head’s name', async () => {
  await open();
  await expect.poll(() => document.title).toBe(`${head.name} · Likeness Studio`);
  await page.getByRole('button', { name: /^Speak/ }).click();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Live' })).toBeVisible();
});

test('what is chosen is counted, taken back by a double click on its name, and made', async () => {
  const fake = await open();
  await expect.element(make(2)).toBeDisabled();
  await page.getByRole('radiogroup', { name: 'Hair colour' }).getByRole('radio', { name: '#3d261c' }).click();
  await page.getByRole('radiogroup', { name: 'Below the neck' }).getByText('Shoulders').click();
  await expect.element(page.getByText('2 changes. Making takes about 18 s.')).toBeVisible();
  expect(previews(fake)).toEqual([]);
  await page.getByText(/^Ends with/).dblClick();
  await expect.element(page.getByText('1 change. Making takes about 18 s.')).toBeVisible();
  const smile = page.getByRole('slider', { name: 'Mouth as in the photo' });
  (smile.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect
    .poll(() => previews(fake))
    .toEqual([{ modelId: 'model-1', options: { smile: 0.05, hairColour: '#3d261c' } }]);
  await make(2).click();
  await expect
    .poll(() => orders(fake))
    .toEqual([
      {
        selection: { ids: ['model-1'] },
        profileId: 'built-in',
        options: { smile: 0.05, hairColour: '#3d261c' },
        asNew: false,
      },
    ]);
});

test('a look that the present mesh can’t show is made as a preview, one for each pause', async () => {
  const fake = await open();
  const answers = [Promise.withResolvers<object>(), Promise.withResolvers<object>()];
  let orders = 0;
  fake.bridge.batch!.previewHead = () => answers[orders++]!.promise;
  const styles = page.getByRole('radiogroup', { name: 'Hair', exact: true });
  const smile = page.getByRole('slider', { name: 'Mouth as in the photo' });
  await styles.getByText('Shaved').click();
  const making = page.getByText('preview in a moment');
  await expect.element(making).toBeVisible();
  await expect.poll(() => orders).toBe(1);
  const forOthers = page.getByRole('button', { name: /Work for other programs/ });
  fake.emit('engine', 'changed', { state: 'running', queued: 0, running: 2 });
  await expect.element(forOthers).toHaveAccessibleName(/1 request/);
  fake.emit('engine', 'changed', { state: 'running', queued: 0, running: 1 });
  await expect.element(forOthers).not.toBeInTheDocument();
  answers[0]!.resolve({ ok: true, value: { preview: 'preview-1' } });
  await expect.element(making).not.toBeInTheDocument();
  (smile.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  await expect.element(making.first()).toBeVisible();
  await expect.poll(() => orders).toBe(2);
  const error = { code: 'unreachable', message: 'The engine is gone.', hint: '', retryable: true };
  answers[1]!.resolve({ ok: false, error });
  await expect.element(page.getByText('seen when it is made').first()).toBeVisible();
  await expect.element(make(2)).toBeEnabled();
  await page.getByRole('button', { name: 'Discard the changes' }).click();
  await expect.element(page.getByText('seen when it is made')).not.toBeInTheDocument();
});

test('a bald head is previewed: the present mesh shows the hair’s colour on its skin', async () => {
  const fake = await open();
  await page.getByRole('radiogroup', { name: 'Hair', exact: true }).getByText('Bald').click();
  await expect.poll(() => previews(fake)).toEqual([{ modelId: 'model-1', options: { hair: 'bald' } }]);
});

test('a preview is asked for before the page is drawn again, which can take a second', async () => {
  const fake = await open();
  const shaved = page.getByRole('radio', { name: 'Shaved' });
  await expect.element(shaved).toBeInTheDocument();
  (shaved.element() as HTMLElement).click();
  await Promise.resolve();
  expect(previews(fake)).toEqual([{ modelId: 'model-1', options: { hair: 'shaved' } }]);
});

test('the engine reads the photo once the head is drawn, and no longer when the page is left', async () => {
  const fake = await open([head, modelOf(2, { hasPortrait: true }), modelOf(3, { hasPortrait: false })]);
  await expect.poll(() => prepared(fake)).toEqual(['model-1']);
  window.location.hash = '#/library/model/model-2';
  await expect.poll(() => prepared(fake)).toEqual(['model-1', null, 'model-2']);
  await page.getByRole('tab', { name: 'Details' }).click();
  await expect.poll(() => prepared(fake)).toEqual(['model-1', null, 'model-2', null]);
  expect(previews(fake)).toEqual([]);
});

test('changes stay while another head is looked at, and can be discarded', async () => {
  await open([head, modelOf(2, { hasPortrait: true })]);
  await page.getByRole('radiogroup', { name: 'Hair', exact: true }).getByText('Shaved').click();
  window.location.hash = '#/library/model/model-2';
  await expect.element(page.getByText('No changes to version 1.')).toBeVisible();
  window.location.hash = '#/library/model/model-1';
  await expect.element(page.getByText(/^1 change\./)).toBeVisible();
  await page.getByRole('button', { name: 'Discard the changes' }).click();
  await expect.element(page.getByText('No changes to version 1.')).toBeVisible();
});

test('single changes are undone before they are made, in turn with those of the head', async () => {
  await open();
  const colours = page.getByRole('radiogroup', { name: 'Hair colour' });
  await colours.getByRole('radio', { name: '#3d261c' }).click();
  await colours.getByRole('radio', { name: '#7a4f2c' }).click();
  await userEvent.keyboard('4');
  const smile = page.getByRole('slider', { name: 'Mouth as in the photo' });
  (smile.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(page.getByText(/^2 changes\./)).toBeVisible();
  const undone = (what: string) => page.getByText(`Undone: ${what}`, { exact: true });
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(undone('“Mouth as in the photo” changed')).toBeVisible();
  await expect.element(page.getByText(/^1 change\./)).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(undone('changed 1 head')).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(undone('“Hair colour” changed')).toBeVisible();
  await expect
    .element(colours.getByRole('radio', { name: '#3d261c' }))
    .toHaveAttribute('aria-checked', 'true');
  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
  const redone = (what: string) => page.getByText(`Redone: ${what}`, { exact: true });
  await expect.element(redone('“Hair colour” changed')).toBeVisible();
  await userEvent.keyboard('{Control>}y{/Control}');
  await expect.element(redone('changed 1 head')).toBeVisible();
  await userEvent.keyboard('{Control>}y{/Control}');
  await expect.element(redone('“Mouth as in the photo” changed')).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(undone('“Mouth as in the photo” changed')).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(undone('changed 1 head')).toBeVisible();
  await page.getByRole('button', { name: 'Discard the changes' }).click();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(undone('discarded changes')).toBeVisible();
  await expect
    .element(colours.getByRole('radio', { name: '#7a4f2c' }))
    .toHaveAttribute('aria-checked', 'true');
});

test('a drag is one change, whatever it goes through', async () => {
  await open();
  const size = page.getByRole('slider', { name: 'Size of the head' });
  await expect.element(size).toBeVisible();
  const slider = size.element();
  const { left } = slider.getBoundingClientRect();
  const at = (x: number) => ({ bubbles: true, clientX: left + x });
  slider.dispatchEvent(new PointerEvent('pointerdown', at(0)));
  slider.dispatchEvent(new MouseEvent('mousedown', at(0)));
  const values = new Set<string | null>();
  for (const x of [10, 20, 30]) {
    document.dispatchEvent(new MouseEvent('mousemove', at(x)));
    await new Promise(requestAnimationFrame);
    await expect.poll(() => values.has(slider.ariaValueNow)).toBe(false);
    values.add(slider.ariaValueNow);
  }
  document.dispatchEvent(new MouseEvent('mouseup', at(30)));
  await expect.element(page.getByText(/^1 change\./)).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(page.getByText('No changes to version 1.')).toBeVisible();
});

test('the engine’s question stands above the look, with its answers', async () => {
  const fake = await open([{ ...head, uncertain: ['hair'] }]);
  const question = page.getByRole('status').filter({ hasText: 'Is this hair?' });
  await question.getByRole('button', { name: 'It is not' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(page.getByRole('radio', { name: 'Bald' })).toBeChecked();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(page.getByText('Undone: “Hair” changed', { exact: true })).toBeVisible();
  await question.getByRole('button', { name: 'It is hair' }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(fake.calls.find(({ name }) => name === 'library.edit')?.input).toEqual({
    selection: { ids: ['model-1'] },
    changes: { uncertaintyAnswered: true },
  });
  await userEvent.keyboard('{Control>}z{/Control}');
  await question.getByRole('button', { name: 'Outline…' }).click();
  await expect.poll(() => fake.calls.filter(({ name }) => name === 'batch.reopen')).toHaveLength(1);
});

test('while a version is made the stage and the strip say so, and it can be cancelled', async () => {
  const fake = await open();
  const job = jobOf(photoOf(1, { sex: 'female' }), {
    id: 'again',
    replaces: 'model-1',
    state: 'waiting',
    stage: 'bake',
    progress: 0.4,
  });
  const overview = await (fake.bridge.batch!.overview!() as Promise<{ value: object }>);
  const tell = (changes: object): void =>
    fake.emit('batch', 'changed', {
      overview: overview.value,
      photos: [],
      removedPhotos: [],
      jobs: [{ ...job, ...changes }],
      removedJobs: [],
      tiles: [],
      removedTiles: [],
      stale: false,
    });
  await expect.element(make(2)).toBeVisible();
  tell({});
  await expect.element(page.getByRole('status').filter({ hasText: 'Painting the skin' })).toBeVisible();
  await expect.element(page.getByText('40 %')).toBeVisible();
  await expect.element(make(2)).toBeDisabled();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect
    .poll(() => fake.calls.filter(({ name }) => name === 'batch.cancel').map(({ input }) => input))
    .toEqual([{ ids: ['again'] }]);
  tell({ state: 'failed', message: 'The face is covered.' });
  await expect.element(page.getByRole('alert').filter({ hasText: 'The face is covered.' })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.element(page.getByText('The face is covered.')).not.toBeInTheDocument();
});

test('versions are a strip: Enter makes one the head, Del deletes it', async () => {
  const fake = await open([{ ...head, earlier: [earlier] }]);
  const first = page.getByRole('button', { name: 'Version 1', exact: true });
  await expect.element(page.getByRole('button', { name: 'Version 2, the head now' })).toBeVisible();
  (first.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  const inputs = (call: string) => fake.calls.filter(({ name }) => name === call).map(({ input }) => input);
  await expect.poll(() => inputs('library.bringBack')).toEqual([{ id: 'model-1', version: 'first' }]);
  const second = page.getByRole('button', { name: 'Version 2', exact: true });
  await expect.element(second).toBeVisible();
  (second.element() as HTMLElement).focus();
  await userEvent.keyboard('{Delete}');
  await expect.poll(() => inputs('library.removeEarlier')).toMatchObject([{ id: 'model-1' }]);
  await expect.element(page.getByText('“Version 2” was deleted')).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(() => inputs('library.undo')).toHaveLength(1);
});

test('a comparison is closed once the version beside the head is the head: a new one was undone', async () => {
  await open([{ ...head, earlier: [earlier] }]);
  const first = page.getByRole('button', { name: 'Version 1', exact: true });
  await expect.element(first).toBeVisible();
  (first.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  const compare = page.getByRole('button', { name: 'Compare two' });
  await expect.element(page.getByRole('button', { name: 'Version 1, the head now' })).toBeVisible();
  await compare.click();
  await expect.element(compare).toHaveAttribute('aria-pressed', 'true');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(page.getByRole('button', { name: 'Version 2, the head now' })).toBeVisible();
  await expect.element(compare).toHaveAttribute('aria-pressed', 'false');
  await userEvent.keyboard('\\');
  await expect.element(compare).toHaveAttribute('aria-pressed', 'true');
});

test('a look is copied to other heads in one batch', async () => {
  const others = [
    modelOf(2, { hasPortrait: true }),
    modelOf(3, { hasPortrait: true }),
    modelOf(4, { hasPortrait: false }),
  ];
  const fake = await open([head, ...others]);
  await page.getByRole('radiogroup', { name: 'Hair', exact: true }).getByText('Bald').click();
  await page.getByRole('button', { name: 'Copy look to…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy this look to heads' });
  await dialog.getByRole('checkbox', { name: 'Head 2' }).click();
  await dialog.getByRole('checkbox', { name: 'Head 3' }).click();
  expect(dialog.getByRole('checkbox', { name: 'Head 4' }).elements()).toEqual([]);
  await dialog.getByRole('button', { name: 'Make 2 heads' }).click();
  await expect
    .poll(() => orders(fake))
    .toMatchObject([{ selection: { ids: ['model-2', 'model-3'] }, options: { hair: 'bald' } }]);
});
