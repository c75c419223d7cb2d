/** What pages end, and what they say of things that are over, away, edited or broken. */
import { timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { queryClient } from '../../renderer/base/studio-queries.ts';
import { closeSound, soundNow } from '../../renderer/live/sound-source.ts';
import { libraryOf } from '../fixtures/studio/library.ts';
import { stockModels } from '../fixtures/studio/stock.ts';
import type { FakeStudio } from '../fixtures/studio/studio.ts';
import { takeOf } from '../fixtures/studio/takes.ts';
import { openStudio } from './open_studio.tsx';

beforeEach(() => page.viewport(1280, 900));

/** A call or stream of the studio answers so from now on. */
const answering = ({ bridge }: FakeStudio, room: string, call: string, answer: object): void => {
  Object.assign(bridge[room] ?? {}, { [call]: () => Promise.resolve(answer) });
};

describe('a Live session that does not start', () => {
  test.each([
    ['is open already', false],
    ['is still being opened', true],
  ])('ends the microphone that %s', async (_, isLate) => {
    const { stream } = new AudioContext().createMediaStreamDestination();
    const gate = Promise.withResolvers<void>();
    const media = vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation(async () => {
      if (isLate) await gate.promise;
      return stream;
    });
    const fake = await openStudio({}, '#/live');
    const refused = Promise.withResolvers<object>();
    const error = { code: 'unreachable', message: 'Nothing answers there.', hint: '', retryable: true };
    Object.assign(fake.bridge.live ?? {}, { open: () => refused.promise });
    await page.getByRole('button', { name: /^Start speaking/ }).click();
    await expect.poll(() => soundNow().kind).toBe(isLate ? 'opening' : 'open');
    refused.resolve({ ok: false, error });
    await expect.element(page.getByText('Nothing answers there.').first()).toBeVisible();
    await expect.poll(() => soundNow().kind).toBe('closed');
    gate.resolve();
    // No light stays on at the microphone.
    await expect.poll(() => stream.getTracks().map(({ readyState }) => readyState)).toEqual(['ended']);
    media.mockRestore();
    closeSound();
  });
});

test('a check of all files names the libraries that are not connected, which it could not read', async () => {
  const libraries = [
    libraryOf(),
    libraryOf({ id: 'usb', name: 'On the USB disk', isDefault: false, available: false }),
  ];
  await openStudio({ library: { models: stockModels(2), libraries } }, '#/library/check');
  await page.getByRole('button', { name: 'Check all files' }).click();
  await expect.element(page.getByText('Not connected, so not checked: On the USB disk')).toBeVisible();
});

test('a cap that was reached in a month that is over refuses nothing now', async () => {
  const fake = await openStudio({}, '#/settings');
  const usage = (cost: number) => ({
    profileId: 'nord',
    profileName: 'Nord',
    currency: 'USD',
    cost,
    monthlyCap: 10,
    calls: 3,
    failed: 0,
    seconds: 4,
    frames: 0,
    models: 3,
  });
  // The status line has asked before.
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  answering(fake, 'journal', 'usage', { ok: true, value: { month: '', profiles: [usage(10)] } });
  await queryClient.invalidateQueries();
  window.location.hash = '#/activity/usage';
  const card = page.getByRole('region', { name: 'Nord' });
  await expect.element(card.getByText('Cap reached: the studio refuses calls that cost money')).toBeVisible();
  await page.getByRole('button', { name: 'Previous month' }).click();
  await expect.element(card.getByText(/^100\s?% of the cap of/)).toBeVisible();
  expect(card.element().textContent).not.toMatch(/refuses|left/);
});

test('the shapes of a head whose file is missing are not waited for', async () => {
  const [model] = stockModels(1);
  const models = [{ ...model!, state: 'missing_model' as const }];
  await openStudio({ library: { models } }, `#/library/model/${model!.id}`);
  await page.getByRole('tab', { name: 'Face shapes' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Face shapes' });
  await expect.element(panel.getByText('File missing')).toBeVisible();
});

test('a film of an edited take is as long as the take plays', async () => {
  const fake = await openStudio({ takes: { takes: [takeOf(4)] } }, '#/takes/take-4');
  await expect.element(page.getByRole('button', { name: 'Set a marker', exact: true })).toBeVisible();
  const pieces = [{ from: 0, to: 1, speed: 1 }];
  expect(timeMap(pieces, 4).seconds).toBe(1);
  const apply = fake.bridge.takeEdits?.apply;
  await apply?.({ id: 'take-4', after: 0, operations: [{ kind: 'pieces', pieces }] });
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Film' }).click();
  await expect.element(page.getByRole('dialog').getByText(/^30 frames, 1(\.0)?\s?s/)).toBeVisible();
});

test('an intake that was cancelled says what came in before, not that it is done', async () => {
  const fake = await openStudio({ batch: {}, library: {} }, '#/portraits');
  await expect.element(page.getByRole('heading', { name: 'Portraits' })).toBeVisible();
  fake.emit('batch', 'intakeChanged', {
    id: 'intake-1',
    state: 'cancelled',
    found: 9,
    added: 3,
    skipped: [{ reason: 'duplicate', count: 1 }],
    examples: [],
    people: 0,
    manifests: [],
    message: '',
  });
  await expect.element(page.getByText('Cancelled. Photos added before: 3')).toBeVisible();
});
