import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { changeView, searchAfresh } from '../../../renderer/library/model-list.ts';
import { stockCollections, stockModels, stockSearches } from '../../fixtures/studio/stock.ts';
import { openStudio } from '../open_studio.tsx';

beforeEach(() => page.viewport(1280, 900));

const inputs = (calls: { name: string; input: unknown }[], name: string): unknown[] =>
  calls.filter((call) => call.name === name).map(({ input }) => input);
const open = async (models: number, hash = '#/library') => {
  const fake = await openStudio(
    {
      batch: {},
      library: { models: stockModels(models), collections: stockCollections, savedSearches: stockSearches },
    },
    hash,
  );
  searchAfresh();
  changeView({ layout: 'grid', size: 164 });
  return fake;
};

test('an empty library says what to do first', async () => {
  await open(0);
  await expect.element(page.getByRole('heading', { name: 'No heads yet' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Make a head from a photo' })).toBeVisible();
});

test('of ten thousand heads only those on the screen are drawn', async () => {
  await open(10_000);
  await expect.element(page.getByText('10,000 heads')).toBeVisible();
  await expect.element(page.getByRole('option').first()).toBeVisible();
  expect(document.querySelectorAll('[role=option]').length).toBeLessThan(60);
  const list = page.getByRole('listbox').element();
  list.scrollTo({ top: list.scrollHeight });
  await expect.poll(() => list.querySelector('[aria-posinset="10000"]')?.textContent).toBeTruthy();
});

test('End and Home go to the very end of the grid and back to its top', async () => {
  await open(200);
  await expect.element(page.getByRole('option').first()).toBeVisible();
  const grid = page.getByRole('listbox').element();
  await userEvent.keyboard('{End}');
  await expect.poll(() => grid.scrollTop + grid.clientHeight).toBe(grid.scrollHeight);
  await userEvent.keyboard('{Home}');
  await expect.poll(() => grid.scrollTop).toBe(0);
});

test('the search follows each key, and a facet narrows further', async () => {
  const fake = await open(400);
  await page.getByRole('searchbox', { name: 'Search heads' }).fill('hayashi');
  await expect
    .poll(() => inputs(fake.calls, 'library.search').at(-1))
    .toMatchObject({ query: { text: 'hayashi' } });
  await page.getByRole('button', { name: /^Female/ }).click();
  await expect
    .poll(() => inputs(fake.calls, 'library.search').at(-1))
    .toMatchObject({ query: { text: 'hayashi', sex: 'female' } });
  await page.getByRole('button', { name: 'Save this search' }).click();
  await userEvent.keyboard('Hayashi women{Enter}');
  await expect
    .poll(() => inputs(fake.calls, 'library.saveSearch'))
    .toMatchObject([{ name: 'Hayashi women', query: { text: 'hayashi', sex: 'female' } }]);
});

test('everything that a search finds is rated at once, without its ids being here', async () => {
  const fake = await open(1000);
  await page.getByRole('option').first().click();
  await userEvent.keyboard('{Control>}a{/Control}');
  await expect.element(page.getByText('1000 selected')).toBeVisible();
  await userEvent.keyboard('4');
  await expect
    .poll(() => inputs(fake.calls, 'library.edit'))
    .toMatchObject([{ selection: { query: {} }, changes: { rating: 4 } }]);
  await expect.element(page.getByText('1000 heads changed')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => inputs(fake.calls, 'library.undo')).toHaveLength(1);
  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
  await expect.element(page.getByText('Redone: changed 1000 heads')).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(page.getByText('Undone: changed 1000 heads')).toBeVisible();
  await userEvent.keyboard('3');
  await expect.element(page.getByText('1000 heads changed')).toBeVisible();
  await userEvent.keyboard('{Control>}y{/Control}');
  await expect.element(page.getByText('There is nothing to redo')).toBeVisible();
});

test('Ctrl+Z says what it takes back, in every place of the library', async () => {
  const fake = await open(40);
  await page.getByRole('option').nth(0).click();
  await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}{Delete}');
  await expect.element(page.getByText('3 heads moved to the trash')).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(page.getByText('Undone: moved 3 heads to the trash')).toBeVisible();
  await expect.element(page.getByText('3 heads moved to the trash', { exact: true })).not.toBeInTheDocument();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(page.getByText('There is nothing to undo')).toBeVisible();
  await page.getByRole('button', { name: `Collection ${stockCollections[0]!.name}` }).click();
  await page.getByRole('menuitem', { name: 'Remove (heads stay)' }).click();
  await expect.element(page.getByText(`“${stockCollections[0]!.name}” was deleted`)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(inputs(fake.calls, 'library.undo')).toHaveLength(3);
});

test('the trash gives back; erasing asks first, and the dangerous answer is not the one of Enter', async () => {
  const fake = await open(40);
  await page.getByRole('option').nth(0).click();
  await userEvent.keyboard('{Delete}');
  await expect.element(page.getByText('1 head moved to the trash')).toBeVisible();
  await expect.element(page.getByText('39 heads')).toBeVisible();
  searchAfresh({ trash: true });
  await expect.element(page.getByRole('option')).toHaveLength(1);
  await page.getByRole('option').click();
  await userEvent.keyboard('{Delete}');
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await expect.poll(() => document.activeElement?.textContent).toBe('Cancel');
  expect(inputs(fake.calls, 'library.erase')).toEqual([]);
});

test('an erasing asks after the takes, and its receipt says what is gone and what is not', async () => {
  const fake = await open(40, '#/library/model/model-2');
  await page.getByRole('button', { name: 'More actions for this head' }).click();
  await page.getByRole('menuitem', { name: 'Erase for good…' }).click();
  await expect.element(page.getByText('Also erase its 2 takes')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Also erase its 2 takes' }).click();
  await page.getByRole('button', { name: 'Erase for good' }).click();
  await expect.element(page.getByRole('dialog', { name: '1 head erased' })).toBeVisible();
  expect(inputs(fake.calls, 'library.erase')).toEqual([{ selection: { ids: ['model-2'] }, takes: true }]);
  await expect.element(page.getByText('2 takes: voice, face and record')).toBeVisible();
  await expect.element(page.getByText('Data of 1 head that Studio Cloud may keep: ask there')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Save as text' })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).last().click();
  await expect.element(page.getByText('39 heads')).toBeVisible();
});

test('renaming shows what would come of it before it does anything', async () => {
  const fake = await open(40);
  await page.getByRole('option').first().click();
  await page
    .getByRole('option')
    .nth(1)
    .click({ modifiers: ['Control'] });
  await userEvent.keyboard('{F2}');
  await page.getByLabelText('Pattern').fill('Head {number:3}');
  await expect.element(page.getByText('Head 001')).toBeVisible();
  await page.getByLabelText('Find', { exact: true }).fill('Head');
  await page.getByLabelText('Replace with').fill('Portrait');
  await expect.element(page.getByText('Portrait 001')).toBeVisible();
  expect(inputs(fake.calls, 'library.rename').every((input) => (input as { preview: boolean }).preview)).toBe(
    true,
  );
  await page.getByRole('button', { name: 'Rename 2 heads' }).click();
  await expect.element(page.getByText('2 heads renamed')).toBeVisible();
});

test('Enter renames a head whose preview is still loading', async () => {
  const fake = await open(40);
  const { rename } = fake.bridge.library!;
  const isPreview = (input: unknown): boolean => (input as { preview: boolean }).preview;
  fake.bridge.library!.rename = (input) => (isPreview(input) ? new Promise(() => undefined) : rename!(input));
  await page.getByRole('option').first().click();
  await userEvent.keyboard('{F2}');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada Lovelace');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('option', { name: /^Ada Lovelace/ })).toBeVisible();
});

test('a head’s name, tags and consent are kept when the field is left', async () => {
  const fake = await open(40, '#/library/model/model-2');
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.getByLabelText('Name', { exact: true }).fill('Ada');
  await page.getByLabelText('Who agreed').fill('Ada L.');
  await page.getByLabelText('Basis').click();
  await expect
    .poll(() => inputs(fake.calls, 'library.edit'))
    .toEqual([
      { selection: { ids: ['model-2'] }, changes: { name: 'Ada' } },
      {
        selection: { ids: ['model-2'] },
        changes: { consent: { who: 'Ada L.', basis: '', until: null } },
      },
    ]);
});

test('heads are dragged into a collection: the chosen ones together, another one alone', async () => {
  const fake = await open(40);
  const [collection] = stockCollections;
  const shelf = page.getByRole('button', { name: new RegExp(`^${collection!.name}`) });
  const drag = (from: Element, onto: Element): void => {
    const dataTransfer = new DataTransfer();
    const tell = (on: Element, type: string): boolean =>
      on.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    tell(from, 'dragstart');
    expect(tell(onto, 'dragover')).toBe(false); // it takes them
    tell(onto, 'drop');
  };
  const picture = (at: number): Element =>
    page.getByRole('option').nth(at).element().querySelector('[draggable=true]')!;
  await page.getByRole('option').nth(0).click();
  await page
    .getByRole('option')
    .nth(2)
    .click({ modifiers: ['Control'] });
  const ids = [0, 2].map((at) => page.getByRole('option').nth(at).element().id.replace('option-', ''));
  drag(picture(2), shelf.element());
  await expect
    .poll(() => inputs(fake.calls, 'library.edit'))
    .toEqual([{ selection: { ids }, changes: { addCollection: collection!.id } }]);
  await expect.element(page.getByText(`2 heads added to “${collection!.name}”`)).toBeVisible();
  const alone = page.getByRole('option').nth(5).element().id.replace('option-', '');
  drag(picture(5), shelf.element());
  await expect
    .poll(() => inputs(fake.calls, 'library.edit').at(-1))
    .toEqual({ selection: { ids: [alone] }, changes: { addCollection: collection!.id } });
});

test('a property that all heads share is no filter, and days are asked for when they are wanted', async () => {
  await open(40);
  const filters = page.getByRole('navigation', { name: 'Filters' });
  await expect.element(filters.getByRole('button', { name: /^Female/ })).toBeVisible();
  const facets = ['State', 'Eyelid', 'Made by', 'Source', 'Flag', 'Sex'];
  const shared = filters
    .getByRole('region')
    .elements()
    .filter((group) => facets.includes(group.ariaLabel ?? '') && group.querySelectorAll('li').length < 2);
  expect(shared).toEqual([]);
  await expect.element(page.getByLabelText('Made from this day on')).not.toBeInTheDocument();
});

test('heads are narrowed down to those made lately, or between two days', async () => {
  const fake = await open(40);
  const last = (): unknown => inputs(fake.calls, 'library.search').at(-1);
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  midnight.setDate(midnight.getDate() - 6);
  await page.getByRole('button', { name: 'In the last 7 days' }).click();
  await expect.poll(last).toMatchObject({ query: { createdFrom: midnight.getTime() } });
  await page.getByRole('button', { name: 'Choose days…' }).click();
  await page.getByLabelText('Made from this day on').fill('2026-03-01');
  await page.getByLabelText('Made up to this day').fill('2026-03-02');
  await expect.poll(last).toMatchObject({
    query: {
      createdFrom: new Date(2026, 2, 1).getTime(),
      createdTo: new Date(2026, 2, 3).getTime() - 1,
    },
  });
});

test.each([
  ['en', 'Choose days…', 'Made from this day on', 'Mar 1, 2026', '2026-3-1'],
  ['zh-CN', '选择日期…', '从这一天起', '2026年3月1日', '2026年3月1日'],
] as const)(
  'a day is read as %s writes it, and typed so where that is one order',
  async (language, choose, label, written, typed) => {
    const fake = await openStudio(
      {
        batch: {},
        library: { models: stockModels(3), collections: [], savedSearches: [] },
        settings: { language },
      },
      '#/library',
    );
    await page.getByRole('button', { name: choose }).click();
    const field = page.getByLabelText(label);
    await field.fill('2026-02-30');
    await field.fill(typed);
    await expect
      .poll(() => inputs(fake.calls, 'library.search').at(-1))
      .toMatchObject({ query: { createdFrom: new Date(2026, 2, 1).getTime() } });
    await userEvent.tab();
    await expect.element(field).toHaveValue(written);
    await field.click();
    await expect.element(field).toHaveValue('2026-03-01');
  },
);

test('pictures of what is found come when the typing pauses', async () => {
  await open(400);
  await expect.element(page.getByRole('option').first()).toBeVisible();
  const pictures = (): (string | null)[] =>
    [...document.querySelectorAll('[role=option] img')].map((picture) => picture.getAttribute('src'));
  const before = pictures();
  expect(before.every((source) => source?.includes('thumbnail'))).toBe(true);
  let wereLeftOut = false;
  // Seen at every change: between two polls of a busy machine the pictures may be there again.
  const watch = new MutationObserver(() => {
    wereLeftOut ||= pictures().some((source) => source === null);
  });
  watch.observe(document.body, { subtree: true, childList: true, attributes: true });
  await page.getByRole('searchbox', { name: 'Search heads' }).fill('hayashi');
  await expect.poll(() => wereLeftOut).toBe(true);
  await expect.poll(() => pictures().every((source) => source !== null)).toBe(true);
  watch.disconnect();
  expect(pictures()).not.toEqual(before);
});

test('a person who comes back to the studio sees what was changed outside', async () => {
  const fake = await open(4);
  await expect.element(page.getByText('4 heads')).toBeVisible();
  window.dispatchEvent(new Event('focus'));
  await expect.poll(() => inputs(fake.calls, 'library.checkFolders')).toHaveLength(1);
});

test('a page in a browser asks for no folder and says how a terminal does it', async () => {
  const fake = await open(4, '#/library/folders');
  await page.getByRole('button', { name: 'Open or create a library' }).click();
  await expect.element(page.getByText(/npm run likeness -- library add/)).toBeVisible();
  expect(inputs(fake.calls, 'library.addLibrary')).toEqual([]);
});
