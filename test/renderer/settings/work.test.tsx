import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { changeLive, liveSettings } from '../../../renderer/live/live-settings.ts';
import { closeSound, openMicrophone } from '../../../renderer/live/sound-source.ts';
import { createPacer } from '../../../renderer/ui/frame-pacer.ts';
import { libraryOf, modelOf } from '../../fixtures/studio/library.ts';
import { openStudio } from '../open_studio.tsx';

beforeEach(() => page.viewport(1280, 900));
const inputs = (calls: { name: string; input: unknown }[], name: string): unknown[] =>
  calls.filter((call) => call.name === name).map(({ input }) => input);

test('drawing and exports are set for the whole studio', async () => {
  const fake = await openStudio({}, '#/settings/drawing');
  await page.getByText('30', { exact: true }).click();
  await page.getByText('Low', { exact: true }).click();
  await expect
    .element(page.getByText('for machines without a graphics card', { exact: false }))
    .toBeVisible();
  window.location.hash = '#/settings/exports';
  await page.getByRole('combobox', { name: 'Names of the face shapes' }).click();
  await page.getByRole('option', { name: 'ARKit', exact: true }).click();
  await expect
    .poll(() => inputs(fake.calls, 'app.changeSettings'))
    .toEqual([
      { frameRate: '30' },
      { drawQuality: 'low' },
      { headExport: { format: 'glb', names: 'arkit' } },
    ]);
});

test('an export begins with what is set, and what was chosen is what the next begins with', async () => {
  const fake = await openStudio(
    {
      settings: { headExport: { format: 'zip', names: 'vrm' } },
      library: { models: [modelOf(1), modelOf(2)] },
    },
    '#/library/model/model-1',
  );
  await page.getByRole('button', { name: 'Export', exact: false }).first().click();
  const dialog = page.getByRole('dialog');
  const everything = dialog.getByRole('navigation').getByRole('checkbox', { name: 'Everything' });
  await expect.element(everything).toBeChecked();
  await expect.element(dialog.getByRole('combobox')).toHaveValue('VRM 1.0');
  await everything.click();
  await dialog.getByRole('button', { name: /^Separate files/ }).click();
  await dialog.getByRole('checkbox', { name: 'OBJ' }).click();
  await dialog.getByRole('button', { name: 'Export 1 output' }).click();
  await expect
    .poll(() => inputs(fake.calls, 'app.changeSettings'))
    .toEqual([{ headExport: { format: 'obj', names: 'vrm' } }]);
});

test.each([
  [60, 30],
  [144, 60],
  [60, 60],
  [59.94, 60],
])('of %d pictures of the display so many are drawn that %d a second come', (display, rate) => {
  const isDue = createPacer(rate);
  const seconds = 10;
  let drawn = 0;
  // Displays are off by up to a millisecond, seen from the page.
  for (let frame = 0; frame < display * seconds; frame++)
    if (isDue((frame * 1000) / display + Math.sin(frame * 7))) drawn += 1;
  expect(drawn / seconds).toBeGreaterThan(Math.min(rate, display) * 0.97);
  expect(drawn / seconds).toBeLessThanOrEqual(rate * 1.02);
});

test('what came late is not made up for: after a pause the rate is the same', () => {
  const isDue = createPacer(30);
  expect(isDue(0)).toBe(true);
  expect([5000, 5008, 5016, 5024, 5034].map(isDue)).toEqual([true, false, false, false, true]);
});

/** A browser with these microphones, as `[id, name]`; an id that is not there is refused as Chromium does. */
function withMicrophones(there: [string, string][]): { asked: MediaTrackConstraints[]; end: () => void } {
  const asked: MediaTrackConstraints[] = [];
  const devices = navigator.mediaDevices;
  const { getUserMedia, enumerateDevices } = devices;
  devices.enumerateDevices = async () =>
    there.map(
      ([deviceId, label]) => ({ kind: 'audioinput', deviceId, label, groupId: '' }) as MediaDeviceInfo,
    );
  devices.getUserMedia = async (constraints) => {
    const audio = constraints?.audio as MediaTrackConstraints;
    asked.push(audio);
    const wanted = (audio.deviceId as { exact: string } | undefined)?.exact ?? there[0]?.[0];
    const found = there.find(([id]) => id === wanted);
    if (!found) throw new DOMException('', 'OverconstrainedError');
    const context = new AudioContext();
    const { stream } = context.createMediaStreamDestination();
    const [track] = stream.getAudioTracks();
    Object.defineProperty(track, 'label', { value: found[1] });
    track!.getSettings = () => ({ deviceId: found[0] });
    return stream;
  };
  return { asked, end: () => Object.assign(devices, { getUserMedia, enumerateDevices }) };
}
const wanted = { ...liveSettings(), deviceId: 'old-id', deviceLabel: 'Røde NT' };

test('a microphone whose id has changed is found by its name, and its sound is treated as was set', async () => {
  await openStudio({}, '#/settings/microphone');
  const { asked, end } = withMicrophones([
    ['one', 'Built-in'],
    ['new-id', 'Røde NT'],
  ]);
  try {
    changeLive({ deviceId: wanted.deviceId, deviceLabel: wanted.deviceLabel });
    await page.getByRole('switch', { name: /Cancel echo/ }).click();
    await page.getByRole('button', { name: 'Test' }).click();
    await expect.element(page.getByRole('meter', { name: 'Level' })).toBeVisible();
    await expect.element(page.getByText('Røde NT ·', { exact: false })).toBeVisible();
    await expect
      .element(page.getByText('Live uses the system’s default microphone', { exact: false }))
      .not.toBeInTheDocument();
    expect(asked.at(-1)).toMatchObject({
      deviceId: { exact: 'new-id' },
      echoCancellation: true,
      noiseSuppression: false,
    });
    await page.getByRole('button', { name: 'Stop the test' }).click();
    await expect.element(page.getByRole('meter')).not.toBeInTheDocument();
  } finally {
    end();
    closeSound();
    changeLive({ deviceId: '', deviceLabel: '', echoCancellation: false });
  }
});

test('a microphone that is gone gives way to the system’s default, and that is said', async () => {
  await openStudio({}, '#/settings/microphone');
  const { end } = withMicrophones([['one', 'Built-in']]);
  try {
    changeLive({ deviceId: wanted.deviceId, deviceLabel: wanted.deviceLabel });
    await page.getByRole('button', { name: 'Test' }).click();
    await expect
      .element(page.getByText('“Røde NT” is not connected. Live uses the system’s default microphone.'))
      .toBeVisible();
    await openMicrophone({ ...wanted, deviceId: '' });
    await expect
      .element(page.getByText('Live uses the system’s default microphone', { exact: false }))
      .not.toBeInTheDocument();
  } finally {
    end();
    closeSound();
    changeLive({ deviceId: '', deviceLabel: '' });
  }
});

test('libraries are the same here as on their own screen, with what can be written', async () => {
  const fake = await openStudio(
    {
      library: {
        libraries: [
          libraryOf(),
          libraryOf({ id: 'disk', name: 'Disk', isDefault: false, folder: '/mnt/disk', writable: false }),
        ],
      },
    },
    '#/settings/libraries',
  );
  await expect.element(page.getByText('This folder is read-only')).toBeVisible();
  const disk = page.getByRole('region', { name: 'Disk' });
  await disk.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Show the folder' }).click();
  await disk.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Put new heads here' }).click();
  await expect
    .poll(() => fake.calls.filter(({ name }) => /revealLibrary|changeLibrary/.test(name)))
    .toEqual([
      { name: 'library.revealLibrary', input: { id: 'disk' } },
      { name: 'library.changeLibrary', input: { id: 'disk', changes: { isDefault: true } } },
    ]);
});
