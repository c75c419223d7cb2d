import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { livedInJournal, livedInProfiles } from '../fixtures/studio/lived_in.ts';
import { openStudio } from './open_studio.tsx';

beforeEach(() => page.viewport(1280, 800));

const place = () => page.getByRole('heading', { level: 1 });

test('the first steps lead in one click to the microphone', async () => {
  const fake = await openStudio({ settings: { welcomed: false } });
  await page.getByRole('button', { name: 'Open the microphone' }).click();
  await expect.element(place()).toHaveTextContent('Live');
  expect(
    fake.calls.some(
      ({ name, input }) => name === 'app.changeSettings' && JSON.stringify(input) === '{"welcomed":true}',
    ),
  ).toBe(true);
});

test('the first steps lead in one click to Portraits', async () => {
  await openStudio({ settings: { welcomed: false } });
  await page.getByRole('button', { name: 'Choose a photo' }).click();
  await expect.element(place()).toHaveTextContent('Portraits');
});

test('every place is two keys away', async () => {
  await openStudio();
  for (const [letter, name] of [
    ['l', 'Library'],
    ['v', 'Live'],
    ['t', 'Takes'],
    ['a', 'Activity'],
    ['s', 'Settings'],
    ['p', 'Portraits'],
  ] as const) {
    await userEvent.keyboard(`g${letter}`);
    await expect.element(place()).toHaveTextContent(name);
  }
});

test('letters typed into a field go nowhere', async () => {
  await openStudio({}, '#/activity');
  const field = page.getByPlaceholder('Id, message or connection');
  await field.fill('');
  await field.click();
  await userEvent.keyboard('gl?');
  await expect.element(field).toHaveValue('gl?');
  await expect.element(place()).toHaveTextContent('Activity');
});

test('the palette finds a command by its words and does it', async () => {
  await openStudio();
  await userEvent.keyboard('{Control>}k{/Control}');
  await page.getByPlaceholder('Find a head, go to, do…').fill('light');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.poll(() => document.documentElement.dataset.mantineColorScheme).toBe('light');
});

test('the palette sends the face from any page, and has one scrollbar', async () => {
  await openStudio({}, '#/settings');
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(page.getByPlaceholder('Find a head, go to, do…')).toBeVisible();
  const list = document.querySelector('.mantine-ScrollArea-viewport')!;
  expect(getComputedStyle(list).scrollbarWidth).toBe('none');
  await page.getByPlaceholder('Find a head, go to, do…').fill('send');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(page.getByRole('dialog', { name: 'Send and receive' })).toBeVisible();
});

test('the keyboard sheet opens on ? and closes on Escape, and gives the focus back', async () => {
  await openStudio();
  const first = page.getByRole('button', { name: 'Search and commands' }).element() as HTMLElement;
  first.focus();
  await userEvent.keyboard('?');
  await expect.element(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog', { name: 'Keyboard' })).not.toBeInTheDocument();
  await expect.poll(() => document.activeElement).toBe(first);
});

test('the language changes on the spot', async () => {
  await openStudio({}, '#/settings/general');
  await page.getByText('简体中文').click();
  await expect.element(place()).toHaveTextContent('设置');
  expect(document.documentElement.lang).toBe('zh-CN');
});

test('the menu and a second start lead somewhere', async () => {
  const fake = await openStudio();
  fake.emit('app', 'navigate', { to: 'takes' });
  await expect.element(place()).toHaveTextContent('Takes');
});

test('the status line says which connection is used and what it lacks', async () => {
  const profiles = livedInProfiles.map((profile) => ({ ...profile, isDefault: profile.id === 'lab' }));
  await openStudio({ profiles });
  await expect.element(page.getByRole('link', { name: 'Lab server no key yet' })).toBeVisible();
});

test('a fault in one place is told, reported, and leaves the others alone', async () => {
  const fake = await openStudio();
  fake.failNext('journal.entries', { code: 'storage', message: 'The journal can’t be read.' });
  await userEvent.keyboard('ga');
  await expect.element(page.getByText('The journal can’t be read.').first()).toBeVisible();
  for (const _ of [1, 2, 3])
    window.dispatchEvent(new ErrorEvent('error', { message: 'Boom', error: new Error('Boom') }));
  // One notice for what is the same; the log has each.
  await expect.element(page.getByText(/Boom.*The log has the details/)).toBeVisible();
  await expect.poll(() => fake.reported.map(({ message }) => message)).toEqual(['Boom', 'Boom', 'Boom']);
  await userEvent.keyboard('gt');
  await expect.element(place()).toHaveTextContent('Takes');
});

test('a run without the sandbox says so above everything, with what to do and a way out', async () => {
  const fake = await openStudio({ unprotected: true });
  const alarm = page.getByRole('alert').filter({ hasText: 'protection' });
  await expect.element(alarm.getByText('The sandbox is off.')).toBeVisible();
  await alarm.getByRole('button', { name: 'What to do' }).click();
  await expect.element(page.getByRole('dialog').getByText('.deb package', { exact: false })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  // In every place, and without a way to put it aside.
  window.location.hash = '#/takes';
  await expect.element(place()).toHaveTextContent('Takes');
  await expect.element(alarm).toBeVisible();
  await alarm.getByRole('button', { name: 'Quit' }).click();
  expect(fake.calls.some(({ name }) => name === 'app.quit')).toBe(true);
});

test('a run with its sandbox says nothing of it', async () => {
  await openStudio();
  await expect.element(place()).toHaveTextContent('Portraits');
  await expect.element(page.getByText('The sandbox is off.')).not.toBeInTheDocument();
});

test('keys’ storage is no matter of the status line before a connection wants a key', async () => {
  const keyStore = { protection: 'none', backend: 'basic_text', needsChoice: true } as const;
  await openStudio({ keyStore, batch: {} });
  await expect.element(page.getByRole('button', { name: 'No jobs' })).toBeVisible();
  expect(document.body.textContent).not.toContain('Choose a key store');
  document.getElementById('root')?.remove();
  await openStudio({ keyStore, profiles: livedInProfiles });
  await expect.element(page.getByText('Choose a key store')).toBeVisible();
});

test('the status line names its latency, and a single slow start is no verdict', async () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const calls = (count: number) =>
    livedInJournal(count, now, 0.5).map((entry) => ({
      ...entry,
      operation: 'audio_to_face',
      outcome: 'ok' as const,
      firstByteMs: 2355,
    }));
  await openStudio({ profiles: livedInProfiles, now: () => now, journal: calls(3) });
  await expect.element(page.getByText('Few calls in 24 hours')).toBeVisible();
  document.getElementById('root')?.remove();
  await openStudio({ profiles: livedInProfiles, now: () => now, journal: calls(40) });
  await expect.element(page.getByText('First answer 2,355', { exact: false })).toBeVisible();
});
