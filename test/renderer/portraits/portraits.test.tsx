import { t } from '@likeness/messages';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Job, Photo, PhotoFinding } from '#contract';
import { initLanguages } from '../../../renderer/frame/init-languages.ts';
import {
  boardSelection,
  filterBoard,
  review,
  showAll,
} from '../../../renderer/portraits/board/board-list.ts';
import { type BatchStart, finding, jobOf, photoOf } from '../../fixtures/studio/batch.ts';
import { stockJobs, stockPhotos } from '../../fixtures/studio/stock.ts';
import { builtInProfile, profileFrom } from '../../fixtures/studio/studio.ts';
import { openStudio } from '../open_studio.tsx';

// Loaded on demand: many modules, which are not to run down a test's clock.
beforeAll(() => import('../../../renderer/portraits/Portraits.tsx').then(() => undefined));
beforeEach(async () => {
  await page.viewport(1280, 900);
  Object.assign(window, { studio: undefined });
  boardSelection.restart();
});
afterEach(() => {
  showAll();
  filterBoard({ sort: undefined });
});

const inputs = (calls: { name: string; input: unknown }[], name: string): unknown[] =>
  calls.filter((call) => call.name === name).map(({ input }) => input);
const open = async (photos: number, hash: string, jobs = 0) => {
  const fake = await openStudio(
    { batch: { photos: stockPhotos(photos), jobs: stockJobs(jobs) }, library: {} },
    hash,
  );
  Object.assign(window, { studioFiles: fake.files });
  filterBoard({ sort: 'added' });
  return fake;
};
const tile = (name: RegExp) => page.getByRole('gridcell', { name });

test('an empty board says what to do first', async () => {
  await open(0, '#/portraits');
  await expect.element(page.getByRole('heading', { name: 'Drop portrait photos here' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Choose photos' })).toBeVisible();
});

test('dropped files are handed over by id, and what is no photo is told', async () => {
  const fake = await open(0, '#/portraits');
  const heading = page.getByRole('heading', { name: 'Drop portrait photos here' });
  await expect.element(heading).toBeVisible();
  const data = new DataTransfer();
  data.items.add(new File(['x'], 'ada.jpg', { type: 'image/jpeg' }));
  data.items.add(new File(['x'], 'notes.txt', { type: 'text/plain' }));
  heading
    .element()
    .dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
  await expect.element(tile(/^ada\.jpg/)).toBeVisible();
  expect(inputs(fake.calls, 'batch.addDropped')).toEqual([{ dropIds: ['drop-1', 'drop-2'] }]);
  await expect.element(page.getByText('1 photo added, 1 file left out')).toBeVisible();
});

test('what a manifest beside the photos has set is told with its way back, and what it could not', async () => {
  const fake = await open(2, '#/portraits');
  await expect.element(tile(/^portrait-0001/)).toBeVisible();
  fake.emit('batch', 'intakeChanged', {
    id: 'intake-1',
    state: 'done',
    found: 4,
    added: 2,
    skipped: [{ reason: 'sidecar', count: 1 }],
    examples: [{ fileName: 'notes.txt', reason: 'sidecar', detail: 'A file that goes with photos.' }],
    people: 0,
    manifests: [
      {
        fileName: 'set/manifest.csv',
        applied: 2,
        set: { sex: 2, eyelidType: 0, name: 1, tags: 0, person: 0 },
        problems: [],
      },
      {
        fileName: 'set/old.csv',
        applied: 0,
        set: { sex: 0, eyelidType: 0, name: 0, tags: 0, person: 0 },
        problems: [{ line: 2, column: 1, fault: 'no_photo', value: 'x.jpg', problem: '' }],
      },
    ],
    message: '',
  });
  await expect.element(page.getByText('set/manifest.csv applied to 2 photos')).toBeVisible();
  await expect.element(page.getByText('It set the sex of 2, the name of 1.')).toBeVisible();
  await expect
    .element(page.getByText('The 1 file that set/old.csv lists is not among these photos'))
    .toBeVisible();
  expect(page.getByText('left out').elements()).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => inputs(fake.calls, 'batch.undo')).toHaveLength(1);
});

test('the chosen photos are tagged from the keyboard, and undo takes it back', async () => {
  const fake = await open(40, '#/portraits');
  await tile(/^portrait-0001/).click();
  await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}');
  await expect.element(page.getByRole('region', { name: '2 selected' })).toBeVisible();
  await userEvent.keyboard('m');
  await expect
    .poll(() => inputs(fake.calls, 'batch.tag'))
    .toEqual([{ selection: { ids: ['photo-1', 'photo-2'] }, set: { sex: 'male' } }]);
  await expect.element(page.getByText('2 photos changed')).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(() => inputs(fake.calls, 'batch.undo')).toHaveLength(1);
  await expect.element(page.getByText('Undone: changed 2 photos')).toBeVisible();
  await userEvent.keyboard('{Control>}y{/Control}');
  await expect.element(page.getByText('Redone: changed 2 photos')).toBeVisible();
  await userEvent.keyboard('{Control>}y{/Control}');
  await expect.element(page.getByText('There is nothing to redo')).toBeVisible();
});

test('who comes to the board goes on by its keys, also after a review', async () => {
  await open(4, '#/portraits');
  const grid = page.getByRole('grid');
  await expect.element(grid).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}{Enter}');
  await expect.element(page.getByRole('region', { name: 'Photo by photo' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(grid).toHaveFocus();
});

test('a click beside the tiles clears the selection, and so does Escape where nothing has the focus', async () => {
  await open(4, '#/portraits');
  const selected = page.getByRole('region', { name: '2 selected' });
  const selectTwo = async () => {
    await tile(/^portrait-0001/).click();
    await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}');
    await expect.element(selected).toBeVisible();
  };
  await selectTwo();
  await page.getByRole('grid').click({ position: { x: 5, y: 5 } });
  await expect.element(selected).not.toBeInTheDocument();
  await selectTwo();
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard('{Escape}');
  await expect.element(selected).not.toBeInTheDocument();
});

test('an only photo is selected until others come', async () => {
  await open(1, '#/portraits');
  filterBoard({ sort: undefined });
  await expect.element(tile(/^portrait-0001/)).toHaveAttribute('aria-selected', 'true');
  const data = new DataTransfer();
  data.items.add(new File(['x'], 'ada.jpg', { type: 'image/jpeg' }));
  page
    .getByRole('grid')
    .element()
    .dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
  await expect.element(tile(/^ada\.jpg/)).toBeVisible();
  await expect.element(tile(/^portrait-0001/)).toHaveAttribute('aria-selected', 'false');
});

test('a finding is told with its figure and its limit', async () => {
  await open(40, '#/portraits');
  await tile(/Dolores Bergström.*Turned too far/).click();
  await expect
    .element(page.getByText('Measured: 31°, 16° over the limit of 15°.', { exact: false }))
    .toBeVisible();
  // Drawn on the photo, so only once the photo is there.
  await expect.poll(() => document.querySelector('rect[data-tone="bad"]')).not.toBeNull();
});

describe('the first photo', () => {
  const openOne = (rest: Partial<Photo>) =>
    openStudio({ batch: { photos: [photoOf(1, rest)] }, library: {} }, '#/portraits');
  const turned = (severity: PhotoFinding['severity'], figure: number, limit: number) => ({
    check: severity === 'blocking' ? ('blocked' as const) : ('warning' as const),
    findings: [finding('turned_too_far', { severity, figure, limit, unit: '°' })],
  });

  test('is chosen by itself and asked for its sex: one key, then the head', async () => {
    const fake = await openOne({});
    await expect
      .element(page.getByText('Female or male? The studio needs it to make the head.'))
      .toBeVisible();
    await userEvent.keyboard('m');
    await page.getByRole('button', { name: 'Make the head' }).click();
    await expect.poll(() => inputs(fake.calls, 'batch.start')).toHaveLength(1);
    expect(inputs(fake.calls, 'batch.tag')).toEqual([
      { selection: { ids: ['photo-1'] }, set: { sex: 'male' } },
    ]);
  });

  test('that a head can be made of all the same says what to expect, and no other does', async () => {
    const fake = await openOne({
      check: 'blocked',
      findings: [
        finding('turned_too_far', {
          severity: 'blocking',
          figure: 20,
          limit: 17,
          unit: '°',
          anyway: ['soft_left'],
        }),
      ],
    });
    await page
      .getByRole('button', {
        name: 'Try anyway: expect a soft texture and guessed hair on the photo’s left side',
      })
      .click();
    await expect
      .poll(() => inputs(fake.calls, 'batch.tag'))
      .toEqual([{ selection: { ids: ['photo-1'] }, set: { anyway: true } }]);
    await expect
      .element(page.getByText('The built-in engine makes a head despite this', { exact: false }))
      .toBeVisible();
    await page.getByRole('button', { name: 'Don’t make it' }).click();
    await expect.poll(() => inputs(fake.calls, 'batch.tag')).toHaveLength(2);
  });

  test('that is turned too far says by how much, and offers no crop, which could not help', async () => {
    await openOne(turned('blocking', 20, 17));
    await expect.element(page.getByText(/Measured: 20°, 3° over the limit of 17°\./)).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Crop by hand…' })).not.toBeInTheDocument();
    await expect.element(page.getByText(/^Female or male/)).not.toBeInTheDocument();
  });

  test('that is turned a little is told otherwise', async () => {
    await openOne(turned('warning', 12, 9));
    await expect.element(tile(/A little turned/)).toBeVisible();
    await expect.element(page.getByText('Turned too far')).not.toBeInTheDocument();
    await expect.element(page.getByRole('button', { name: 'Crop by hand…' })).toBeVisible();
  });
});

test('a tile tells the stage of what is made, and that the others wait in line', async () => {
  const [one, two, three] = [1, 2, 3].map((number) => photoOf(number, { name: `P${number}`, sex: 'female' }));
  await openStudio(
    {
      batch: {
        jobs: [
          jobOf(one!, { state: 'waiting', stage: 'hair', progress: 0.64, secondsLeft: 18.4 }),
          jobOf(two!, { state: 'queued' }),
          jobOf(three!, { state: 'queued' }),
        ],
      },
      library: {},
    },
    '#/portraits',
  );
  await expect.element(tile(/^P1.*18.s · Making the hair/)).toBeVisible();
  expect(tile(/^P1/).element().textContent).toContain('64');
  await expect.element(tile(/^P2.*Next/)).toBeVisible();
  await expect.element(tile(/^P3.*2nd in line/)).toBeVisible();
  await tile(/^P3/).click();
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await expect.element(tile(/^P3.*Next/)).toBeVisible();
});

test('a connection without a key refuses what is sent to it again, with the way to the key', async () => {
  const fake = await open(0, '#/portraits', 40);
  await expect.element(tile(/./).first()).toBeVisible();
  const other = profileFrom({ name: 'My server', groupBUrl: 'https://b.example.com' }, { id: 'mine' });
  fake.emit('connections', 'changed', [builtInProfile, other]);
  fake.failNext('batch.retry', {
    code: 'key_missing',
    message: 'The connection “My server” has no key for models (Group B).',
  });
  await page.getByRole('button', { name: 'More actions for these photos' }).click();
  await page.getByRole('menuitem', { name: /^My server/ }).click();
  await expect.element(page.getByText('has no key for models', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Enter the key' }).click();
  await expect.poll(() => window.location.hash).toBe('#/settings/connections/mine');
});

test('leafing: two keys a photo, and the next one comes by itself', async () => {
  review.list.find({ editable: true, sort: 'added' });
  const fake = await open(40, '#/portraits/review/0');
  await expect.element(page.getByText('1 of 40')).toBeVisible();
  await userEvent.keyboard('f');
  await expect.element(page.getByText('2 of 40')).toBeVisible();
  await userEvent.keyboard('1');
  await userEvent.keyboard('m');
  await expect.element(page.getByText('3 of 40')).toBeVisible();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(page.getByText('2 of 40')).toBeVisible();
  expect(inputs(fake.calls, 'batch.tag')).toEqual([
    { selection: { ids: ['photo-1'] }, set: { sex: 'female' } },
    { selection: { ids: ['photo-2'] }, set: { eyelidType: 'single' } },
    { selection: { ids: ['photo-2'] }, set: { sex: 'male' } },
  ]);
});

test('each photo is counted in one state; the row of states shows them, and a filter keeps its tiles', async () => {
  const photos = [
    photoOf(1, { sex: 'female' }),
    photoOf(2, { sex: 'male', check: 'warning' }),
    photoOf(3),
    photoOf(4, { check: 'blocked', findings: [finding('no_face', { severity: 'blocking' })] }),
    photoOf(5, { check: 'blocked', sex: 'male', findings: [finding('blurred', { severity: 'blocking' })] }),
  ];
  const fake = await openStudio({ batch: { photos }, library: {} }, '#/portraits');
  const states = page.getByRole('group', { name: 'Show' });
  await expect.element(states).toHaveTextContent('All 5Needs you 1Ready 2Making 0Done 0Can’t be used 2');
  await expect.element(page.getByRole('button', { name: 'Make 2 heads' })).toBeEnabled();
  await states.getByRole('button', { name: /^Can’t be used/ }).click();
  await expect.element(tile(/^portrait-0005.*2$/)).toBeVisible();
  await page.getByRole('button', { name: 'Blurred 1' }).click();
  await expect.element(tile(/^portrait-0004/)).not.toBeInTheDocument();
  await userEvent.keyboard('{Alt>}2{/Alt}');
  await expect.element(tile(/^portrait-0003/)).toBeVisible();
  await expect.element(tile(/^portrait-0001/)).not.toBeInTheDocument();
  // It is ready now, and stays where it is until the filter is chosen again.
  await tile(/^portrait-0003/).click();
  await userEvent.keyboard('f');
  await expect.element(tile(/^portrait-0003.*Ready/)).toBeVisible();
  await expect.poll(() => states.element().textContent).toContain('Needs you 0Ready 3');
  await states.getByRole('button', { name: /^Needs you/ }).click();
  await expect.element(page.getByText('No tile is left in this state: all are shown')).toBeVisible();
  await expect.element(tile(/^portrait-0001/)).toBeVisible();
  await page.getByRole('button', { name: 'Make 3 heads' }).click();
  await expect
    .poll(() => inputs(fake.calls, 'batch.start'))
    .toMatchObject([{ selection: { filter: {} }, profileId: 'built-in', again: false }]);
});

test('photos are filtered by sex and by folder, and the icon says that they are', async () => {
  await open(8, '#/portraits');
  const filter = page.getByRole('button', { name: 'Filter by sex and folder' });
  await filter.click();
  await page.getByRole('combobox', { name: 'Sex' }).click();
  await page.getByRole('option', { name: 'Female' }).click();
  await expect.element(tile(/^portrait-0001/)).not.toBeInTheDocument();
  await expect.element(tile(/^portrait-0002.*1 of 4$/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Folder' }).click();
  await page.getByRole('option', { name: 'session-a/men' }).click();
  await expect.element(tile(/^portrait-0002.*1 of 2$/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Folder' }).click();
  await page.getByRole('option', { name: 'session-b' }).click();
  await expect.element(page.getByText('No photos match this filter')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect.element(tile(/^portrait-0001/)).toBeVisible();
});

test('a photo stays on its tile until it is a head, which is archived there, and brought back', async () => {
  const photos = [photoOf(1, { sex: 'female', name: 'Ada' }), photoOf(2, { sex: 'male', name: 'Ben' })];
  const fake = await openStudio({ batch: { photos, stepMs: 30 }, library: {} }, '#/portraits');
  await page.getByRole('button', { name: 'Make 2 heads' }).click();
  await expect.element(page.getByText('2 heads queued')).toBeVisible();
  await expect.element(tile(/^Ada, Done.*2 of 2/)).toBeVisible();
  await expect.element(tile(/^Ben, Done.*1 of 2/)).toBeVisible();
  expect(location.hash).toBe('#/portraits');
  await page.getByRole('button', { name: 'Archive done' }).click();
  await expect.element(page.getByText('2 tiles archived')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Drop portrait photos here' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(tile(/^Ada, Done/)).toBeVisible();
  expect(inputs(fake.calls, 'batch.archive')).toEqual([{ ids: null }]);
});

test('a connection without a key takes no photos: Make says so and leads to it', async () => {
  const mine = profileFrom(
    { name: 'My server', groupBUrl: 'https://example.invalid' },
    { id: 'mine', isDefault: true },
  );
  const jobs = [1, 2].map((number) =>
    jobOf(photoOf(number, { name: `J${number}` }), {
      profileId: number === 1 ? 'mine' : 'built-in',
      profileName: 'My server',
    }),
  );
  const hold = { holdReason: 'No key.', holdCode: 'key_missing', holdProfileId: 'mine' } as const;
  const photos = [photoOf(3, { sex: 'female' })];
  const profiles = [{ ...builtInProfile, isDefault: false }, mine];
  const fake = await openStudio({ profiles, batch: { photos, jobs, hold }, library: {} }, '#/portraits');
  await page.getByRole('button', { name: 'Make the head' }).click();
  await expect.element(page.getByText('“My server” has no key yet')).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'Enter the key' }).first())
    .toHaveAttribute('href', '#/settings/connections/mine');
  expect(inputs(fake.calls, 'batch.start')).toEqual([]);
  // What was queued before says so itself, and only what is of that connection.
  await expect.element(tile(/^J1, Needs you, Needs a key/)).toBeVisible();
  await expect.element(tile(/^J2, Making/)).toBeVisible();
  await tile(/^J1/).getByRole('button', { name: 'Enter the key' }).click();
  await expect.poll(() => location.hash).toBe('#/settings/connections/mine');
});

test('an uncertain photo is never sent again without a word: nothing is chosen beforehand', async () => {
  const fake = await open(0, '#/portraits', 40);
  await page.getByRole('button', { name: /^Needs you/ }).click();
  await page.getByRole('button', { name: 'Decide', exact: true }).first().click();
  const settle = page.getByRole('button', { name: 'Apply' });
  await expect.element(settle).toBeDisabled();
  await page.getByRole('radio', { name: 'The server has it' }).click();
  await expect.element(settle).toBeDisabled();
  await page.getByLabelText('Model id on the server').fill('mdl-77');
  await settle.click();
  await expect
    .poll(() => inputs(fake.calls, 'batch.resolveUncertain'))
    .toEqual([{ ids: ['job-6'], answer: 'found', remoteModelId: 'mdl-77' }]);
});

describe('what is paid for', () => {
  const paid = (state: 'waiting' | 'failed', rest: Partial<Job>): Job[] => [
    jobOf(photoOf(1, { name: 'Ada', sex: 'female' }), {
      state,
      profileId: 'acme',
      profileName: 'Acme',
      remoteModelId: 'mdl-77',
      orderState: 'made',
      ...rest,
    }),
  ];
  const openQueue = async (batch: BatchStart, language: 'en' | 'zh-CN' = 'en') => {
    const fake = await openStudio({ batch, library: {}, settings: { language } }, '#/portraits');
    await page.getByRole('gridcell').first().click();
    return fake;
  };

  test('a hold connection says why, and is tried at once when the person says so', async () => {
    const reason = 'Get model: acme.example refused the Group B API key (HTTP 401 Unauthorized).';
    const hold = { holdReason: reason, holdCode: 'upstream_refused', holdProfileId: 'acme' } as const;
    const fake = await openQueue({ jobs: [...paid('waiting', {}), jobOf(photoOf(2))], hold });
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByText('The queue is blocked')).toBeVisible();
    await expect.element(page.getByText(reason).first()).toBeVisible();
    await expect
      .element(page.getByRole('link', { name: 'To the connection' }))
      .toHaveAttribute('href', '#/settings/connections/acme');
    await page.getByRole('button', { name: 'Try now' }).click();
    await expect.poll(() => inputs(fake.calls, 'batch.resume')).toHaveLength(1);
    await expect.element(page.getByText('The queue is blocked')).not.toBeInTheDocument();
  });

  test('shows the id that the server gave, and stays when finished jobs are cleared', async () => {
    const fake = await openQueue({
      jobs: paid('failed', { code: 'upstream_broken', message: 'A web page.' }),
    });
    await expect.element(page.getByText('Server’s reference: mdl-77')).toBeVisible();
    await page.getByRole('button', { name: 'More actions for these photos' }).click();
    await page.getByRole('menuitem', { name: 'Clear finished' }).click();
    await expect
      .element(page.getByText('1 job is or may be paid for, but its head is not downloaded'))
      .toBeVisible();
    await page.getByRole('button', { name: 'Remove anyway' }).click();
    await expect
      .poll(() => inputs(fake.calls, 'batch.clearFinished'))
      .toEqual([{ owed: false }, { owed: true }]);
  });

  test('that failed yesterday says why in the language of today, and in the one changed to', async () => {
    const message = t('upstream.no_key', { profileName: 'Acme', name: t('term.api_key') });
    await openQueue({ jobs: paid('failed', { code: 'key_missing', message }) });
    await expect
      .element(page.getByText('The connection “Acme” has no Group B API key.').first())
      .toBeVisible();
    await initLanguages('zh-CN');
    await expect.element(page.getByText('连接“Acme”没有 B 组 API 密钥。').first()).toBeVisible();
    await expect.element(page.getByText('has no Group B')).not.toBeInTheDocument();
  });

  test('is ordered anew only after a word, where the server no longer knows it', async () => {
    const fake = await openQueue({ jobs: paid('failed', { orderState: 'gone', code: 'not_found' }) });
    await page.getByRole('button', { name: 'Order again…' }).click();
    await expect.element(page.getByText(/no longer has the model mdl-77.*billed again/)).toBeVisible();
    expect(inputs(fake.calls, 'batch.retry')).toEqual([]);
    await page.getByRole('button', { name: 'Order again' }).click();
    await expect
      .poll(() => inputs(fake.calls, 'batch.retry'))
      .toEqual([{ ids: ['job-photo-1'], anew: true }]);
  });

  test('is told in Chinese too', async () => {
    const hold = { holdReason: 'In English.', holdCode: 'key_missing', holdProfileId: null } as const;
    const jobs = [
      ...paid('failed', { orderState: 'gone', code: 'not_found' }),
      jobOf(photoOf(2), { state: 'waiting' }),
    ];
    await openQueue({ jobs, hold }, 'zh-CN');
    await expect.element(page.getByText(/服务器不再有这个模型。/)).toBeVisible();
    await expect.element(page.getByText('In English.')).not.toBeInTheDocument();
  });
});

test('Pause is a switch that is always seen; Make says that what it adds waits', async () => {
  const photos = [photoOf(1, { sex: 'female', name: 'Ada' })];
  const fake = await openStudio({ batch: { photos, paused: true }, library: {} }, '#/portraits');
  const pause = page.getByRole('switch', { name: 'Paused' });
  await expect.element(pause).toBeChecked();
  await page.getByRole('button', { name: 'Make the head' }).click();
  await expect.element(page.getByText('1 head waits. Paused')).toBeVisible();
  await expect.element(tile(/^Ada, Making, Paused/)).toBeVisible();
  await page.getByRole('status').getByRole('button', { name: 'Go on' }).click();
  await expect.element(page.getByRole('switch', { name: 'Pause' })).not.toBeChecked();
  await page.getByRole('switch', { name: 'Pause' }).click();
  await expect.poll(() => inputs(fake.calls, 'batch.pause')).toHaveLength(1);
});

test('an image task is a tile with the reference that the server gave', async () => {
  const task = {
    id: 'task-1',
    at: 1,
    fileName: 'mei.jpg',
    profileId: 'acme',
    profileName: 'Acme',
    photoId: null,
    taskId: 'img-8841',
    message: '',
  };
  await openStudio({ batch: { photos: [], imageTasks: [task] }, library: {} }, '#/portraits');
  await expect.element(tile(/^mei\.jpg, Done, Submitted · ref img-8841, Image task/)).toBeVisible();
  await expect.element(page.getByText(/reports no status/)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Copy the reference' })).toBeVisible();
});

test('a crop is framed by hand: pulled by a corner, moved by arrows, kept by Enter', async () => {
  const fake = await open(3, '#/portraits/review/0');
  await expect.element(page.getByText('1 of 3')).toBeVisible();
  await userEvent.keyboard('c');
  const corner = page.getByRole('button', { name: 'Crop: upper left corner' });
  await expect.element(corner).toBeVisible();
  // The frame has the focus: 10 % of the photo to the right, as far as it goes.
  await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{ArrowRight}{/Shift}');
  const frame = page.getByRole('button', { name: 'Crop: move the frame' });
  const { width, height } = frame.element().getBoundingClientRect();
  await userEvent.dragAndDrop(corner, frame, { targetPosition: { x: width / 4, y: height / 8 } });
  await expect.element(page.getByText('270 × 385')).toBeVisible();
  (corner.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => inputs(fake.calls, 'batch.tag')).toHaveLength(1);
  const [{ set }] = inputs(fake.calls, 'batch.tag') as [{ set: { crop: Record<string, number> } }];
  expect(set.crop.x).toBeCloseTo(0.4);
  expect(set.crop.y).toBeCloseTo(0.2);
  expect(set.crop.width).toBeCloseTo(0.6);
  expect(set.crop.height).toBeCloseTo(0.7);
});

test('names and tags of several photos are set at once, and undone at once', async () => {
  const fake = await open(40, '#/portraits');
  await tile(/^portrait-0001/).click();
  await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}');
  await userEvent.keyboard('{F2}');
  await page.getByRole('textbox', { name: 'Pattern' }).fill('cast {file}');
  await expect.element(page.getByText('cast portrait-0002.jpg')).toBeVisible();
  await page.getByRole('button', { name: 'Name 2 photos' }).click();
  await expect.element(tile(/^cast portrait-0002/)).toBeVisible();
  await page.getByRole('button', { name: 'More actions for the selected photos' }).click();
  await page.getByRole('menuitem', { name: 'Tags…' }).click();
  await page.getByLabelText('Add', { exact: true }).first().fill('spring');
  await userEvent.keyboard('{Enter}');
  await page.getByRole('button', { name: 'Change tags' }).click();
  await expect.element(page.getByText('2 photos changed')).toBeVisible();
  expect(inputs(fake.calls, 'batch.tag')).toEqual([
    { selection: { ids: ['photo-1', 'photo-2'] }, set: { addTags: ['spring'], removeTags: [] } },
  ]);
});

test('an outline is painted, undone, raised and kept; the engine is asked after each step', async () => {
  const fake = await open(3, '#/portraits/outline/photo-1');
  await expect.element(page.getByText('Please check the outline')).toBeVisible();
  const place = page.getByRole('application', { name: 'Photo with its outline' });
  (place.element() as HTMLElement).focus();
  await userEvent.keyboard('b');
  await userEvent.keyboard(' {ArrowRight}{ArrowRight} ');
  await expect.element(page.getByText('The outline looks right')).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(page.getByText('Please check the outline')).toBeVisible();
  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
  (page.getByRole('slider', { name: 'Height of the crown' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await expect.poll(() => inputs(fake.calls, 'batch.tag')).toHaveLength(1);
  expect(inputs(fake.calls, 'batch.tag')).toEqual([
    {
      selection: { ids: ['photo-1'] },
      set: {
        corrections: {
          strokes: [{ kind: 'background', radius: 0.025, points: [0.5, 0.3, 0.515, 0.3, 0.53, 0.3] }],
          crown: 0.02,
        },
      },
    },
  ]);
  await expect.poll(() => window.location.hash).toBe('#/portraits');
});

test('what was painted is not lost by a stray Escape', async () => {
  await open(3, '#/portraits/outline/photo-1');
  await expect.element(page.getByText('Please check the outline')).toBeVisible();
  (page.getByRole('application').element() as HTMLElement).focus();
  await userEvent.keyboard('  {Escape}');
  await expect.element(page.getByText('Leave without keeping?')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(window.location.hash).toBe('#/portraits/outline/photo-1');
});
