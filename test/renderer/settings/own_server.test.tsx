import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openStudio } from '../open_studio.tsx';

// Loaded on demand, which is not to run down the test's clock.
beforeAll(() => import('../../../renderer/settings/Settings.tsx').then(() => undefined));
beforeEach(() => page.viewport(1280, 900));

test('a server of one’s own takes one address and one key, for faces and for heads', async () => {
  const fake = await openStudio({}, '#/settings/connections/new');
  await page.getByText('Our own server').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Our heads');
  await page.getByRole('textbox', { name: 'Address' }).fill('https://heads.example.org:8787');
  await page.getByRole('textbox', { name: 'Key', exact: true }).fill('lk_a_key_of_ours');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('heading', { name: 'Our heads' })).toBeVisible();
  const made = fake.calls.find(({ name }) => name === 'connections.create')?.input;
  expect(made).toMatchObject({
    name: 'Our heads',
    groupAUrl: 'https://heads.example.org:8787',
    groupBUrl: 'https://heads.example.org:8787',
    pathWord: 'svc',
  });
  const keys = fake.calls.filter(({ name }) => name === 'connections.setSecret');
  expect(keys.map(({ input }) => input)).toMatchObject([
    { secret: 'accessToken', value: 'lk_a_key_of_ours' },
    { secret: 'apiKey', value: 'lk_a_key_of_ours' },
  ]);
});

test('what was typed for another server goes along, and an address that is none is refused', async () => {
  const fake = await openStudio({}, '#/settings/connections/new');
  await page.getByRole('textbox', { name: 'Address' }).first().fill('heads.example.org');
  await page.getByText('Our own server').click();
  const address = page.getByRole('textbox', { name: 'Address' });
  await expect.element(address).toHaveValue('heads.example.org');
  await page.getByRole('textbox', { name: 'Name' }).fill('Ours');
  await page.getByRole('button', { name: 'Create connection' }).click();
  await expect.element(address).toHaveFocus();
  expect(fake.calls.some(({ name }) => name === 'connections.create')).toBe(false);
});
