/** Labels that count, say that nothing is there, or that something runs, costs or can be undone: each by what is known. */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { edit } from '../../renderer/library/edits.ts';
import { searchAfresh } from '../../renderer/library/model-list.ts';
import { changeLive, plainKeys } from '../../renderer/live/live-settings.ts';
import { closeSound, openFile } from '../../renderer/live/sound-source.ts';
import { boardSelection, filterBoard } from '../../renderer/portraits/board/board-list.ts';
import { takeList, takeSelection } from '../../renderer/takes/list/take-list.ts';
import { jobOf, photoOf } from '../fixtures/studio/batch.ts';
import { modelOf } from '../fixtures/studio/library.ts';
import { takeOf } from '../fixtures/studio/takes.ts';
import { openStudio } from './open_studio.tsx';

// Loaded on demand: many modules, which are not to run down a test's clock.
beforeAll(async () => {
  await Promise.all([
    import('../../renderer/takes/Takes.tsx'),
    import('../../renderer/portraits/Portraits.tsx'),
    import('../../renderer/live/Live.tsx'),
  ]);
});
beforeEach(async () => {
  await page.viewport(1280, 900);
  filterBoard({ state: undefined, reason: undefined, text: undefined, sort: 'added' });
  boardSelection.restart();
  takeSelection.restart();
  takeList.find({});
});
const said = (text: string | RegExp) => page.getByText(text);
const never = (): Promise<never> => new Promise(() => undefined);

describe('what could not be read is not said to be empty', () => {
  test('the journal', async () => {
    const fake = await openStudio({ journal: [] }, '#/settings');
    fake.failNext('journal.entries', { code: 'internal' });
    window.location.hash = '#/activity';
    await expect.element(said('It failed on purpose.')).toBeVisible();
    await expect.element(said(/\b0 entries/)).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(said(/\b0 entries/)).toBeVisible();
  });

  test('one of two takes to compare', async () => {
    const takes = [takeOf(1, { name: 'Anna' }), takeOf(2, { name: 'Ben' })];
    const fake = await openStudio({ takes: { takes } }, '#/settings');
    fake.failNext('takes.take', { code: 'internal' });
    window.location.hash = '#/takes/compare/take-1/take-2';
    await expect.element(page.getByRole('heading', { name: 'Compare takes' })).toBeVisible();
    await expect.element(said(/no longer exists/)).not.toBeInTheDocument();
  });

  test('what the palette searches for, while it searches', async () => {
    const fake = await openStudio({ library: { models: [modelOf(1)] } }, '#/settings');
    Object.assign(fake.bridge.library!, { search: never });
    await page.getByRole('button', { name: 'Search and commands' }).click();
    await userEvent.keyboard('zzzz');
    await expect.element(said('Searching …')).toBeVisible();
    // It would stay open over the next page.
    await userEvent.keyboard('{Escape}{Escape}');
    await expect.element(said('Searching …')).not.toBeInTheDocument();
  });
});

test('takes and heads that are all in the trash are not said never to have been', async () => {
  await openStudio({ takes: { takes: [takeOf(1, { name: 'Anna' })] } }, '#/takes');
  await page.getByRole('row', { name: /^Anna/ }).click();
  page.getByRole('grid', { name: 'List of takes' }).element().focus();
  await userEvent.keyboard('{Delete}');
  await expect.element(said('All takes are in the trash')).toBeVisible();
  await expect.element(said('No takes yet')).not.toBeInTheDocument();
  document.getElementById('root')!.remove();
  await openStudio({ library: { models: [modelOf(1, { trashedAt: 1 })] } }, '#/library');
  searchAfresh();
  await expect.element(said('All heads are in the trash')).toBeVisible();
  await expect.element(said('No heads yet')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Show the trash' }).click();
  await expect.element(page.getByRole('option', { name: /Head 1/ })).toBeVisible();
  searchAfresh();
});

test('Undo is offered of what changed, and not where nothing did', async () => {
  const fake = await openStudio({ library: { models: [modelOf(1), modelOf(2)] } }, '#/library');
  Object.assign(fake.bridge.library!, {
    edit: () => Promise.resolve({ ok: true, value: { changed: 0 } }),
  });
  await edit({ ids: ['model-1', 'model-2'] }, { rating: 0 });
  await expect.element(said('Nothing changed')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
});

describe('the bar of the selected tiles', () => {
  const open = (sexes: readonly ('female' | null)[]) =>
    openStudio(
      {
        batch: { photos: sexes.map((sex, at) => photoOf(at + 1, { name: `P${at + 1}`, sex })) },
        library: {},
      },
      '#/portraits',
    );
  const photo = (name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}`) });
  const bar = () => page.getByRole('region', { name: /selected$/ });
  const neverZero = () => expect(document.body.textContent).not.toMatch(/Only the 0|Make 0/);

  test('says how many of the selected ones are made, and never “the 0 selected”', async () => {
    await open([null, null, 'female', 'female']);
    await photo('P1').click();
    await photo('P2').click({ modifiers: ['Shift'] });
    await expect.element(bar().getByRole('button', { name: 'None selected is ready' })).toBeDisabled();
    neverZero();
    await photo('P3').click({ modifiers: ['Shift'] });
    await expect.element(bar().getByRole('button', { name: 'Make 1 of 3 heads' })).toBeEnabled();
    await photo('P3').click();
    await photo('P4').click({ modifiers: ['Shift'] });
    await expect.element(bar().getByRole('button', { name: 'Make 2 heads' })).toBeEnabled();
    neverZero();
  });

  test('says no number of another selection before it knows this one’s', async () => {
    const fake = await open(['female', 'female', 'female']);
    await photo('P1').click();
    await photo('P2').click({ modifiers: ['Shift'] });
    await expect.element(bar().getByRole('button', { name: 'Make 2 heads' })).toBeVisible();
    Object.assign(fake.bridge.batch!, { forecast: never });
    await photo('P3').click({ modifiers: ['Shift'] });
    await expect.element(bar().getByRole('button', { name: 'Make those selected' })).toBeVisible();
  });
});

describe('the batch', () => {
  const jobs = (...states: ('queued' | 'uncertain')[]) =>
    states.map((state, at) => jobOf(photoOf(at + 1, { name: `J${at}`, sex: 'female' }), { state }));
  const open = async (batch: Parameters<typeof openStudio>[0] & object) => {
    await openStudio(batch, '#/portraits');
    await expect.element(page.getByRole('gridcell').first()).toBeVisible();
    boardSelection.clear();
  };

  test('that stands still is not said to make heads', async () => {
    const hold = { holdReason: 'No key.', holdCode: 'key_missing', holdProfileId: null } as const;
    await open({ batch: { jobs: jobs('queued', 'queued'), hold }, library: {} });
    await expect.element(said('The queue is blocked')).toBeVisible();
    await expect.element(said('Making heads')).not.toBeInTheDocument();
  });

  test('of which the person must decide waits for that', async () => {
    await open({ batch: { jobs: jobs('uncertain', 'uncertain'), stepMs: 0 }, library: {} });
    await expect.element(said(/Waits for your decision/).first()).toBeVisible();
    await expect.element(said('Making heads')).not.toBeInTheDocument();
  });
});

test('the sheet of keys has those that are bound now', async () => {
  changeLive({ keys: { ...plainKeys, speak: 'x' } });
  await openStudio({}, '#/settings');
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  const sheet = page.getByRole('dialog');
  await expect.element(sheet.getByText('Start, stop speaking')).toBeVisible();
  const keysOf = (label: string): string =>
    sheet.getByText(label, { exact: true }).element().closest('div, tr, li')!.parentElement!.textContent!;
  expect(keysOf('Start, stop speaking')).toMatch(/X/);
  expect(keysOf('Loop')).toMatch(/Loop(Shift|⇧)L/);
  changeLive({ keys: plainKeys });
});

describe('a voice from a file', () => {
  test('is read: no microphone is waited for, and nobody is asked to speak', async () => {
    const decode = vi.spyOn(AudioContext.prototype, 'decodeAudioData').mockImplementation(never);
    await openStudio({}, '#/live');
    void openFile(new File([new Uint8Array(8)], 'sample.wav'), () => undefined);
    await expect.element(said('Reading the audio file')).toBeVisible();
    await expect.element(said('Waiting for the microphone')).not.toBeInTheDocument();
    closeSound();
    const silence = new AudioBuffer({ length: 96_000, sampleRate: 48_000 });
    decode.mockResolvedValue(silence);
    await openFile(new File([new Uint8Array(8)], 'sample.wav'), () => undefined);
    await expect.element(said(/sample\.wav/)).toBeVisible();
    await expect.element(said(/Speak now/)).not.toBeInTheDocument();
    closeSound();
    decode.mockRestore();
  });

  test('that can’t be played is not tried again by opening the microphone', async () => {
    await openStudio({}, '#/live');
    await openFile(new File([new Uint8Array(8)], 'broken.wav'), () => undefined);
    await expect.element(said('This file can’t be played')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    closeSound();
  });
});

test('the built-in engine’s month is free, without money or a cap', async () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const fake = await openStudio({ now: () => now }, '#/settings');
  const usage = {
    profileId: 'built-in',
    profileName: 'Built-in engine',
    currency: 'USD',
    cost: 0,
    monthlyCap: null,
    calls: 3,
    failed: 0,
    seconds: 4,
    frames: 0,
    models: 3,
  };
  Object.assign(fake.bridge.journal!, {
    usage: () => Promise.resolve({ ok: true, value: { month: '2026-11', profiles: [usage] } }),
  });
  window.location.hash = '#/activity/usage';
  const card = page.getByRole('region', { name: 'Built-in engine' });
  await expect.element(card.getByText('Free of charge')).toBeVisible();
  expect(card.element().textContent).not.toMatch(/\$|cap/i);
});

test('a face that nobody watches is not said to be sent', async () => {
  const fake = await openStudio({}, '#/live');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Send and receive' });
  const { value } = await (fake.bridge.send!.state!() as Promise<{ value: { viewers: object } }>);
  const viewers = { ...value.viewers, on: true, watching: 0 };
  fake.emit('send', 'changed', { ...value, hasFace: true, viewers });
  await expect.element(dialog.getByText(/nobody watches the page/)).toBeVisible();
  fake.emit('send', 'changed', { ...value, hasFace: true, viewers: { ...viewers, watching: 1 } });
  await expect.element(dialog.getByText(/is sent to the targets/)).toBeVisible();
});
