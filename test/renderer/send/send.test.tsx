import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openStudio } from '../open_studio.tsx';

beforeEach(() => page.viewport(1280, 900));

const inputs = (calls: { name: string; input: unknown }[], name: string): unknown[] =>
  calls.filter((call) => call.name === name).map(({ input }) => input);

test('a target is added, tested, switched off and removed, by keyboard alone', async () => {
  const fake = await openStudio({}, '#/live');
  const open = page.getByRole('button', { name: 'Send', exact: true });
  await expect.element(open, { timeout: 20_000 }).toBeVisible();
  open.element().focus();
  await userEvent.keyboard('{Enter}');
  const dialog = page.getByRole('dialog', { name: 'Send and receive' });
  await expect.element(dialog).toBeVisible();
  await expect.element(dialog.getByText('No face to send yet', { exact: false })).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();
  dialog.getByLabelText('Address', { exact: true }).element().focus();
  await userEvent.keyboard('10.0.0.5{Enter}');
  const name = 'VMC to 10.0.0.5, port 39539';
  await expect.element(dialog.getByText(name, { exact: true })).toBeVisible();
  expect(inputs(fake.calls, 'send.addTarget')).toEqual([
    { kind: 'vmc', address: '10.0.0.5', port: 39_539, rate: 60, names: 'vrm', on: true },
  ]);
  dialog.getByRole('button', { name: 'Test', exact: true }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByText('test: 120 packets sent', { exact: false })).toBeVisible();
  dialog
    .getByRole('switch', { name: `Send: ${name}` })
    .element()
    .focus();
  await userEvent.keyboard(' ');
  await expect
    .poll(() => inputs(fake.calls, 'send.changeTarget'))
    .toEqual([{ id: 'target-1', changes: { on: false } }]);
  dialog
    .getByRole('button', { name: `Remove ${name}` })
    .element()
    .focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByText(name, { exact: true })).not.toBeInTheDocument();
});

test('the page for OBS shows its addresses only while it is open, and who is received is told', async () => {
  const fake = await openStudio({}, '#/live');
  await page.getByRole('button', { name: 'Send', exact: true }).click({ timeout: 20_000 });
  const dialog = page.getByRole('dialog', { name: 'Send and receive' });
  await expect.element(dialog.getByLabelText('Page for a browser source')).not.toBeInTheDocument();
  dialog.getByRole('switch', { name: 'Open page and socket' }).element().focus();
  await userEvent.keyboard(' ');
  await expect
    .element(dialog.getByLabelText('Page for a browser source', { exact: true }))
    .toHaveValue('http://127.0.0.1:39570/obs/page-token/');
  dialog.getByRole('switch', { name: 'Transparent' }).element().focus();
  await userEvent.keyboard(' ');
  await expect
    .poll(() => inputs(fake.calls, 'send.changeViewers').at(-1))
    .toEqual({ appearance: { background: '#00b140' } });
  dialog.getByRole('switch', { name: 'Receive Live Link Face' }).element().focus();
  await userEvent.keyboard(' ');
  await expect.element(dialog.getByText('From iPhone (10.0.0.7)', { exact: false })).toBeVisible();
  // Other machines are heard only where that is chosen.
  expect(inputs(fake.calls, 'send.receive')).toEqual([
    { kind: 'livelink', on: true, port: 11_111, network: false },
  ]);
});
