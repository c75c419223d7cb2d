import { expect, test } from 'vitest';

test('who had the mirror on keeps it here, and shows others the head as it is', async () => {
  const old = { mirror: true, popOut: { size: '1080x1080', onTop: false }, lookahead: 40 };
  localStorage.setItem('likeness.live', JSON.stringify(old));
  const { liveSettings, plainKeys } = await import('../../../renderer/live/live-settings.ts');
  // Another window wrote it.
  window.dispatchEvent(new StorageEvent('storage', { key: 'likeness.live' }));
  expect(liveSettings()).toMatchObject({
    mirror: true,
    lookahead: 40,
    popOut: { size: '1080x1080', onTop: false, mirror: false, framing: 'shoulders' },
    keys: plainKeys,
    hotkeysOn: false,
  });
});

test('Live shows the head that the library looked at last, once', async () => {
  const { changeLive, liveSettings, adoptLastViewedHead } = await import(
    '../../../renderer/live/live-settings.ts'
  );
  const { rememberViewedHead } = await import('../../../renderer/base/last-viewed-head.ts');
  const { liveProfileId } = await import('../../../renderer/base/live-activity.ts');
  rememberViewedHead('model-7');
  adoptLastViewedHead();
  expect(liveSettings().modelId).toBe('model-7');
  changeLive({ modelId: 'model-3' });
  adoptLastViewedHead();
  expect(liveSettings().modelId).toBe('model-3');
  // Who is on air shows others what they chose.
  rememberViewedHead('model-9');
  liveProfileId.set('built-in');
  adoptLastViewedHead();
  expect(liveSettings().modelId).toBe('model-3');
  liveProfileId.set(null);
});
