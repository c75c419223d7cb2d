/** Keys that hold whatever program is in front, as the built bundle takes them. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type BootedDesktop, bootDesktop } from '../../fixtures/electron/boot.ts';

let desktop: BootedDesktop;
beforeAll(async () => {
  desktop = await bootDesktop();
  await desktop.until(({ page }) => page?.mainFrame.origin === 'likeness://app');
});
afterAll(() => desktop[Symbol.asyncDispose]());

const take = (hotkeys: unknown, from: 'top' | { origin: string } = 'top') =>
  desktop.evaluate(
    ({ page }, [input, sender]) => page!.invoke('studio:call', ['live.setHotkeys', input], sender),
    [hotkeys, from] as const,
  ) as Promise<{ ok: boolean; value?: { refused: string[] }; error?: { code: string } }>;
const taken = () => desktop.evaluate(({ record }) => Object.keys(record.hotkeys));
// The keys are free again, ours and the others'.
afterEach(async () => {
  await take([]);
  await desktop.evaluate(({ record }) => void record.foreignHotkeys.splice(0));
});
const interrupt = { action: 'interrupt', accelerator: 'Control+Alt+X' };
const smile = { action: 'expression1', accelerator: 'F9' };

test('a key of the system is told to the page', async () => {
  expect(await take([interrupt, smile])).toEqual({ ok: true, value: { refused: [] } });
  const heard = await desktop.evaluate(({ record, page }) => {
    record.hotkeys['Control+Alt+X']!();
    return page!.received.at(-1);
  });
  expect(heard).toEqual({ channel: 'studio:event', args: ['live.hotkey', { action: 'interrupt' }] });
});

test('others take their place, none gives them back, and so does a window that is gone', async () => {
  await take([interrupt, smile]);
  await take([smile]);
  expect(await taken()).toEqual(['F9']);
  await take([]);
  expect(await taken()).toEqual([]);
  await take([smile]);
  await desktop.evaluate(({ page }) =>
    page!.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 }),
  );
  expect(await taken()).toEqual([]);
});

test('who has the key already is told', async () => {
  await desktop.evaluate(({ record }) => void record.foreignHotkeys.push('F9'));
  const twice = { action: 'expression2', accelerator: interrupt.accelerator };
  expect(await take([interrupt, smile, twice])).toEqual({
    ok: true,
    value: { refused: ['expression1', 'expression2'] },
  });
  expect(await taken()).toEqual(['Control+Alt+X']);
});

test('no page takes a plain key from other programs, and nobody but ours takes any', async () => {
  for (const accelerator of ['R', 'Shift+R', 'Space', 'Control+Alt', 'MediaPlayPause', 'Control+Alt+X\n', ''])
    expect(await take([{ ...interrupt, accelerator }])).toMatchObject({ error: { code: 'invalid_input' } });
  expect(await take([{ ...interrupt, action: 'quit' }])).toMatchObject({ error: { code: 'invalid_input' } });
  expect(await take([interrupt], { origin: 'https://example.com' })).toMatchObject({
    error: { code: 'forbidden' },
  });
  expect(await taken()).toEqual([]);
});
