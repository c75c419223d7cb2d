/** One table of actions: what the palette, the menus and the keys do is the same. */
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { paletteStore } from '../../../renderer/base/overlays.ts';
import { searchAfresh } from '../../../renderer/library/model-list.ts';
import { stockCollections, stockModels } from '../../fixtures/studio/stock.ts';
import type { FakeStudio } from '../../fixtures/studio/studio.ts';
import { takeOf } from '../../fixtures/studio/takes.ts';
import { openStudio } from '../open_studio.tsx';

beforeEach(async () => {
  paletteStore.updateState((state) => ({ ...state, opened: false })); // it outlives the page of the test before
  await page.viewport(1280, 900);
});

const inputs = (fake: FakeStudio, name: string): unknown[] =>
  fake.calls.filter((call) => call.name === name).map(({ input }) => input);
const open = async (hash = '#/library'): Promise<FakeStudio> => {
  const fake = await openStudio(
    { batch: {}, library: { models: stockModels(40), collections: stockCollections } },
    hash,
  );
  searchAfresh();
  return fake;
};
const palette = async (text: string): Promise<void> => {
  await userEvent.keyboard('{Control>}k{/Control}');
  await page.getByPlaceholder('Find a head, go to, do…').fill(text);
};
/** As it is after the page was loaded or a head was opened. */
const nothingHasTheFocus = (): void => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
};
const entry = (name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name });

test('the palette finds heads by name and opens them', async () => {
  const fake = await open('#/activity');
  const [model] = stockModels(1);
  await palette(model!.name);
  await entry(new RegExp(model!.name)).first().click();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(model!.name);
  expect(inputs(fake, 'library.search')).toContainEqual(
    expect.objectContaining({ query: { text: model!.name } }),
  );
});

test('the palette lists actions before heads, the best match first, and pages last', async () => {
  await openStudio(
    { library: { models: [{ ...stockModels(1)[0]!, name: 'Library portrait' }] }, takes: { takes: [] } },
    '#/activity',
  );
  await palette('librar');
  await expect.element(entry('Library portrait')).toBeVisible();
  const entries = page.getByRole('dialog').getByRole('button').elements();
  const at = (name: RegExp) => entries.findIndex(({ textContent }) => name.test(textContent ?? ''));
  const order = [/^Add or move libraries/, /^Library portrait/, /^Go to: Library/].map(at);
  expect(Math.min(...order)).toBeGreaterThanOrEqual(0);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  await entry('Add or move libraries').click();
  expect(window.location.hash).toBe('#/library/folders');
});

test('the palette finds collections and tags, and shows what is in them', async () => {
  const fake = await open('#/activity');
  const [collection] = stockCollections;
  await palette(collection!.name);
  await entry(new RegExp(collection!.name)).click();
  await expect
    .poll(() => inputs(fake, 'library.search').at(-1))
    .toMatchObject({ query: { collectionId: collection!.id } });
});

test('the palette has the verbs of other pages: it goes there, and does them', async () => {
  const chosen: string[] = [];
  const click = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function (
    this: HTMLInputElement,
  ) {
    chosen.push(this.accept);
  });
  try {
    await openStudio({ library: { models: stockModels(1) }, takes: { takes: [takeOf(1)] } }, '#/activity');
    await palette('audio file');
    await entry('Make a take from an audio file').click();
    await expect.poll(() => chosen).toEqual([expect.stringContaining('audio/*')]);
    expect(window.location.hash).toMatch(/^#\/takes/);
    await palette('import');
    await entry('Import heads').click();
    await expect.poll(() => chosen.at(-1)).toContain('.glb');
    expect(window.location.hash).toBe('#/library');
    // Here the page offers it itself.
    await palette('import heads');
    await expect.element(entry('Import heads')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await palette('make a film');
    await entry('Make a film of a take').click();
    const dialog = page.getByRole('dialog', { name: 'Export 1 take' });
    await expect.element(dialog.getByRole('checkbox', { name: 'Film' })).toBeChecked();
  } finally {
    click.mockRestore();
  }
});

test('the palette does what can be done with the selection, and shows its key', async () => {
  await open();
  await page.getByRole('option').first().click();
  await palette('export');
  await expect.element(entry(/^Export…\s*E/)).toBeVisible();
  await entry(/^Export…/).click();
  await expect.element(page.getByRole('dialog', { name: 'Export head' })).toBeVisible();
});

test('nothing is offered for a selection that is not there', async () => {
  await open();
  await expect.element(page.getByRole('option').first()).toBeVisible();
  await palette('export…');
  await expect.element(page.getByText(/^Nothing matches/)).toBeVisible();
});

test('a right click on a head selects it and does what its key does', async () => {
  const fake = await open();
  const second = page.getByRole('option').nth(1);
  await second.click({ button: 'right' });
  await expect.element(second).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('menuitem', { name: /^Pick/ }).click();
  const id = second.element().id.replace('option-', '');
  await expect
    .poll(() => inputs(fake, 'library.edit'))
    .toEqual([{ selection: { ids: [id] }, changes: { flag: 'pick' } }]);
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  await userEvent.keyboard('x');
  await userEvent.keyboard('u');
  await expect
    .poll(() => inputs(fake, 'library.edit').slice(1))
    .toMatchObject([{ changes: { flag: 'reject' } }, { changes: { flag: null } }]);
});

test('the list has the focus in a library that was just opened, and after Escape from a head', async () => {
  await open('#/library');
  const list = page.getByRole('listbox', { name: 'Heads as pictures' });
  await expect.element(list).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}{Enter}');
  await expect.poll(() => location.hash).toContain('#/library/model/');
  await userEvent.keyboard('{Escape}');
  await expect.element(list).toHaveFocus();
});

test('Escape with a menu open closes the menu, and only then leaves the head', async () => {
  await open('#/library/model/model-2');
  await page.getByRole('button', { name: 'More actions for this head' }).click();
  await expect.element(page.getByRole('menu')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  expect(location.hash).toBe('#/library/model/model-2');
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => location.hash).toBe('#/library');
});

test('the viewer’s keys work as soon as a head’s page is open', async () => {
  await open('#/library/model/model-2');
  await expect.element(page.getByRole('application')).toBeVisible();
  const wireframe = page.getByRole('button', { name: 'Wireframe' });
  await expect.element(wireframe).toHaveAttribute('aria-pressed', 'false');
  nothingHasTheFocus();
  await userEvent.keyboard('w');
  await expect.element(wireframe).toHaveAttribute('aria-pressed', 'true');
  await userEvent.keyboard('w');
  await expect.element(wireframe).toHaveAttribute('aria-pressed', 'false');
});

test('a picture that is saved says its name and size', async () => {
  await open('#/library/model/model-2');
  await expect.element(page.getByRole('application')).toBeVisible();
  await expect.poll(() => document.querySelector('canvas')?.width ?? 0).toBeGreaterThan(100);
  nothingHasTheFocus();
  // The canvas is there before there is a head on it, and a head before that is not a picture.
  await expect
    .poll(
      async () => {
        await userEvent.keyboard('s');
        return page.getByText(/\.png is being saved/).elements().length;
      },
      { interval: 500, timeout: 20_000 },
    )
    .toBeGreaterThan(0);
  await expect.element(page.getByText(/[\d,]+ × [\d,]+ pixels, [\d.]+ kB/).first()).toBeVisible();
});

test('a search explains the words it can’t use, and offers those it can', async () => {
  const fake = await open();
  const field = page.getByRole('searchbox', { name: 'Search heads' });
  await field.fill('sxe:male');
  await expect.element(page.getByText(/“sxe:male” is ignored: there is no such field/)).toBeVisible();
  await field.fill('ra');
  await page.getByRole('button', { name: /^rating:/ }).click();
  await page.getByRole('button', { name: '>3' }).click();
  await expect.element(field).toHaveValue('rating:>3 ');
  await expect
    .poll(() => inputs(fake, 'library.search').at(-1))
    .toMatchObject({ query: { text: 'rating:>3' } });
});

test('tags can be narrowed by also where there are none; one sex of all heads is no filter', async () => {
  const fake = await openStudio({
    batch: {},
    library: { models: stockModels(3).map((model) => ({ ...model, tags: [], sex: 'female' as const })) },
  });
  location.hash = '#/library';
  searchAfresh();
  await page.getByRole('button', { name: /^Untagged\s*3/ }).click();
  expect(page.getByRole('button', { name: /^Female/ }).elements()).toEqual([]);
  await expect.poll(() => inputs(fake, 'library.search').at(-1)).toMatchObject({ query: { untagged: true } });
});

test('one head is renamed by its name, without a pattern; heads are put into a new collection', async () => {
  const fake = await open('#/library');
  await page.getByRole('option').first().click();
  await userEvent.keyboard('{F2}');
  const dialog = page.getByRole('dialog', { name: 'Rename', exact: true });
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await expect.element(name).toHaveValue(stockModels(1)[0]!.name);
  await name.fill('Ada');
  await dialog.getByRole('button', { name: 'Rename 1 head' }).click();
  await expect
    .poll(() => inputs(fake, 'library.rename').at(-1))
    .toMatchObject({ pattern: 'Ada', preview: false });
  await page.getByRole('button', { name: 'Collection', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New collection' }).click();
  await expect.poll(() => inputs(fake, 'library.createCollection')).toEqual([{ name: 'New collection' }]);
  await expect
    .poll(() => inputs(fake, 'library.edit').at(-1))
    .toMatchObject({ changes: { addCollection: expect.any(String) } });
});
