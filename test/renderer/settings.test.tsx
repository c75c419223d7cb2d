import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Profile, Updates } from '#contract';
import { livedInProfiles } from '../fixtures/studio/lived_in.ts';
import { openStudio } from './open_studio.tsx';

beforeEach(() => page.viewport(1280, 900));

const inputs = (calls: { name: string; input: unknown }[], name: string): unknown[] =>
  calls.filter((call) => call.name === name).map(({ input }) => input);

test('a new connection is created with its key, and the key leaves the page', async () => {
  const fake = await openStudio({}, '#/settings/connections/new');
  await page.getByLabelText('Name', { exact: true }).fill('Atelier');
  await page.getByLabelText('Address').first().fill('https://api.example.com');
  await page.getByLabelText('Access token', { exact: true }).fill('sk-planted-0123456789-tail');
  await page.getByRole('button', { name: 'Create connection' }).click();
  await expect.element(page.getByText('Configured ••••tail')).toBeVisible();
  expect(inputs(fake.calls, 'connections.setSecret')).toEqual([
    { id: 'made-1', secret: 'accessToken', value: 'sk-planted-0123456789-tail' },
  ]);
  expect(inputs(fake.calls, 'connections.create')).toMatchObject([
    { name: 'Atelier', groupAUrl: 'https://api.example.com', pathWord: 'svc' },
  ]);
  expect(document.documentElement.outerHTML).not.toContain('planted');
  const fields = [...document.querySelectorAll('input, textarea')].map(
    (field) => (field as HTMLInputElement).value,
  );
  expect(fields.join(' ')).not.toContain('planted');
});

test('what a test of a new connection found stays there until it is put aside', async () => {
  const fake = await openStudio({}, '#/settings/connections/new');
  await page.getByLabelText('Name', { exact: true }).fill('My server');
  await page.getByLabelText('Address').first().fill('https://api.example.com');
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect.element(page.getByRole('region', { name: 'Connection test' })).toBeVisible();
  await expect.element(page.getByText('Something needs attention.', { exact: false })).toBeVisible();
  await expect.element(page.getByText('Fastest answer after 12', { exact: false })).toBeVisible();
  expect(inputs(fake.calls, 'connections.test')).toEqual([{ id: 'made-1' }]);
  window.location.hash = '#/activity';
  await expect.element(page.getByRole('region', { name: 'Connection test' })).not.toBeInTheDocument();
  window.location.hash = '#/settings/connections/made-1';
  await expect.element(page.getByRole('region', { name: 'Connection test' })).toBeVisible();
  await page.getByRole('button', { name: 'Close the test' }).click();
  await expect.element(page.getByRole('region', { name: 'Connection test' })).not.toBeInTheDocument();
});

test('what is typed into a key’s field is no attribute of the page, even before it is saved', async () => {
  await openStudio({ profiles: livedInProfiles }, '#/settings/connections/nord');
  await page.getByLabelText('API key', { exact: true }).fill('sk-planted-0123456789');
  expect(document.documentElement.outerHTML).not.toContain('planted');
});

test('a field that would be refused is named before anything is sent', async () => {
  const fake = await openStudio({ profiles: livedInProfiles }, '#/settings/connections/nord');
  await page.getByLabelText('Address').first().fill('ftp://files');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.element(page.getByText('Begin with http:// or https://', { exact: false })).toBeVisible();
  await expect.element(page.getByText('1 field needs attention')).toBeVisible();
  expect(inputs(fake.calls, 'connections.update')).toEqual([]);
});

test('a field that main refuses is named, too', async () => {
  const fake = await openStudio({ profiles: livedInProfiles }, '#/settings/connections/nord');
  await page.getByLabelText('Path word').fill('other');
  fake.failNext('connections.update', { code: 'invalid_input', message: 'no', field: 'changes.pathWord' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.element(page.getByText('not only dots', { exact: false })).toBeVisible();
  expect(document.activeElement).toBe(page.getByLabelText('Path word').element());
});

test('only what was changed is sent', async () => {
  const fake = await openStudio({ profiles: livedInProfiles }, '#/settings/connections/nord');
  await page.getByLabelText('Monthly cap').fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(() => inputs(fake.calls, 'connections.update'))
    .toEqual([{ id: 'nord', changes: { monthlyCap: null } }]);
});

test('unsaved edits survive a look into another place', async () => {
  await openStudio({ profiles: livedInProfiles }, '#/settings/connections/nord');
  await page.getByLabelText('Path word').fill('kept');
  window.location.hash = '#/takes';
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Takes');
  window.location.hash = '#/settings/connections/nord';
  await expect.element(page.getByLabelText('Path word')).toHaveValue('kept');
  await page.getByRole('button', { name: 'Revert' }).click();
  await expect.element(page.getByLabelText('Path word')).toHaveValue('svc');
});

test('a connection is deleted only after a question, and the built-in one never', async () => {
  const fake = await openStudio({ profiles: livedInProfiles }, '#/settings/connections/lab');
  await page.getByRole('button', { name: 'More actions for this connection' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  expect(inputs(fake.calls, 'connections.remove')).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => inputs(fake.calls, 'connections.remove')).toEqual([{ id: 'lab' }]);
  window.location.hash = '#/settings/connections/built-in';
  await page.getByRole('button', { name: 'More actions for this connection' }).click();
  await expect.element(page.getByRole('menuitem', { name: 'Duplicate' })).toBeVisible();
  await expect.element(page.getByRole('menuitem', { name: 'Delete' })).not.toBeInTheDocument();
});

test('a connection test tells each step', async () => {
  await openStudio({ profiles: livedInProfiles }, '#/settings/connections/lab');
  await page.getByRole('button', { name: 'Test connection' }).click();
  const report = page.getByRole('region', { name: 'Connection test' });
  await expect.element(report.getByText('Audio to face Failed')).toBeVisible();
  await expect.element(report.getByText('Check the access token.')).toBeVisible();
  await expect.element(report.getByText('HTTP 401')).toBeVisible();
});

test('locked keys ask for the passphrase, and a wrong one is told', async () => {
  await openStudio({
    profiles: livedInProfiles,
    keyStore: { protection: 'passphrase', locked: true },
    passphrase: 'open sesame',
  });
  const dialog = page.getByRole('dialog', { name: 'Unlock the keys' });
  await dialog.getByLabelText('Passphrase', { exact: true }).fill('wrong');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByText('This is not the passphrase', { exact: false })).toBeVisible();
  await dialog.getByLabelText('Passphrase', { exact: true }).fill('open sesame');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('a forgotten passphrase is no dead end: the keys are put aside, after a question', async () => {
  const fake = await openStudio(
    { profiles: livedInProfiles, keyStore: { protection: 'passphrase', locked: true }, passphrase: 'gone' },
    '#/settings/keys',
  );
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Forgot it?' }).click();
  expect(inputs(fake.calls, 'connections.startOver')).toEqual([]);
  await page.getByRole('button', { name: 'Set the keys aside' }).click();
  await expect.poll(() => inputs(fake.calls, 'connections.startOver').length).toBe(1);
});

test('an unprotected key store is told, with passphrase and this-run-only as choices', async () => {
  const fake = await openStudio(
    { profiles: livedInProfiles, keyStore: { protection: 'none', backend: 'basic_text', needsChoice: true } },
    '#/settings/keys',
  );
  await expect
    .element(page.getByText('This system has no protected key store', { exact: false }))
    .toBeVisible();
  await page.getByLabelText('Passphrase', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Use this passphrase' }).click();
  await expect.element(page.getByText('At least 8 characters.')).toBeVisible();
  await page.getByRole('button', { name: 'Keep in memory only' }).click();
  await expect.poll(() => inputs(fake.calls, 'connections.keepForThisRun').length).toBe(1);
});

test('the engine’s key is handed over without passing through the page', async () => {
  const fake = await openStudio({}, '#/settings/engine');
  await page.getByRole('switch', { name: 'Open to other programs' }).click({ force: true });
  await page.getByRole('button', { name: 'Get the key' }).click();
  await expect.element(page.getByText('The key is on the clipboard')).toBeVisible();
  expect(inputs(fake.calls, 'engine.setExternal')).toEqual([{ enabled: true, port: 8791 }]);
});

test('whether new versions are looked for is asked once, plainly, and both answers hold', async () => {
  for (const [name, lookForUpdates] of [
    ['Yes, check', 'yes'],
    ['No', 'no'],
  ] as const) {
    const fake = await openStudio({ settings: { lookForUpdates: 'unasked' } });
    const question = page.getByRole('region', { name: 'Check for updates?' });
    await expect.element(question.getByText('updates.example', { exact: false })).toBeVisible();
    expect(inputs(fake.calls, 'app.checkForUpdates')).toEqual([]);
    await question.getByRole('button', { name, exact: true }).click();
    await expect.element(question).not.toBeInTheDocument();
    expect(inputs(fake.calls, 'app.changeSettings')).toEqual([{ lookForUpdates }]);
    document.getElementById('root')?.remove();
  }
});

test.each([
  [{ unavailable: 'no_address', address: '' } as const, 'This build has no update address.'],
  [{ unavailable: 'not_installed', address: '' } as const, 'Only the installed desktop app can.'],
])('a studio with nobody to ask hides the question and says why: %j', async (updates, reason) => {
  await openStudio({ settings: { lookForUpdates: 'unasked' }, updates }, '#/settings/updates');
  await expect.element(page.getByText(reason, { exact: false })).toBeVisible();
  await expect.element(page.getByText('Check for updates?', { exact: false })).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Check now' })).not.toBeInTheDocument();
});

test('a new version is found, downloaded and installed, each by a click', async () => {
  const fake = await openStudio({}, '#/settings/updates');
  await expect.element(page.getByText('no key, id or version', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect.element(page.getByRole('link', { name: 'Version 1.2.0 is available' })).toBeVisible();
  await page.getByRole('button', { name: 'Download' }).click();
  await expect.element(page.getByRole('progressbar')).toBeVisible();
  expect(inputs(fake.calls, 'app.installUpdate')).toEqual([]);
  fake.emit('app', 'updatesChanged', { ...updatesAt('ready'), fraction: 1 });
  await page.getByRole('button', { name: 'Quit, install and start again' }).click();
  await expect.poll(() => inputs(fake.calls, 'app.installUpdate')).toHaveLength(1);
});

test('a look that failed is quiet in the status line, and plain in the settings', async () => {
  const problem = {
    code: 'timeout',
    message: 'No answer came.',
    hint: 'Look later.',
    retryable: true,
  } as const;
  await openStudio({ updates: { problem } }, '#/settings/updates');
  await expect.element(page.getByText('No answer came. Look later.')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Update check failed' })).toBeVisible();
});

const updatesAt = (stage: Updates['stage']): Updates => ({
  unavailable: null,
  address: 'updates.example',
  stage,
  version: '1.2.0',
  fraction: 0,
  waitsFor: null,
  checkedAt: 0,
  problem: null,
});

test('open pages are told apart, ended one by one or all but this, and kept current', async () => {
  Object.assign(window, { studioPage: { id: 'own', assets: '/s/x' } });
  try {
    const at = Date.UTC(2026, 10, 22, 9);
    const pages = ['own', 'two', 'three', 'four'].map((id) => ({
      id,
      browser: id === 'four' ? '' : 'Firefox 145, Linux',
      openedAt: at,
      seenAt: at,
      connected: id !== 'three',
    }));
    const fake = await openStudio({ openPages: pages }, '#/settings/pages');
    await expect.element(page.getByText('this page', { exact: false })).toBeVisible();
    await expect.element(page.getByText('Unknown browser')).toBeVisible();
    expect(page.getByText('Open now').elements()).toHaveLength(3);
    await page
      .getByRole('button', { name: /^End Firefox/ })
      .nth(1)
      .click();
    expect(inputs(fake.calls, 'app.endPages')).toEqual([{ ids: ['two'] }]);
    await page.getByRole('button', { name: 'End all others' }).click();
    expect(inputs(fake.calls, 'app.endPages')).toEqual([{ ids: ['two'] }, { ids: ['three', 'four'] }]);
    await expect.element(page.getByRole('button', { name: 'End all others' })).toBeDisabled();
    fake.emit('app', 'openPagesChanged', pages.slice(0, 2));
    await expect.element(page.getByRole('button', { name: 'End all others' })).toBeEnabled();
    await page.getByRole('button', { name: 'Show a link in the terminal' }).click();
    expect(inputs(fake.calls, 'app.offerLink')).toHaveLength(1);
  } finally {
    Reflect.deleteProperty(window, 'studioPage');
  }
});

test('before a save the form says which keys stay behind, and afterwards how they follow', async () => {
  const [builtIn, nord, lab] = livedInProfiles as [Profile, Profile, Profile];
  const behind = { origin: 'https://open.old.example', proxy: 'http://proxy.old.example:8080', ownCa: true };
  const moved = {
    ...nord,
    secrets: {
      ...nord.secrets,
      apiKey: { ...nord.secrets.clientKey, boundElsewhere: { ...behind, variable: '' } },
    },
  };
  const fake = await openStudio({ profiles: [builtIn, moved, lab] }, '#/settings/connections/nord');
  const ask = page.getByRole('button', { name: 'Use here too' });
  await expect
    .element(
      page.getByText(
        'Entered for https://open.old.example, through http://proxy.old.example:8080, with its own certificate authority; not sent here',
      ),
    )
    .toBeVisible();
  await page.getByLabelText('Address').first().fill('https://api.elsewhere.example');
  await expect.element(page.getByText('the studio stops sending this key', { exact: false })).toBeVisible();
  await expect.element(ask).toBeDisabled();
  await page.getByRole('button', { name: 'Revert' }).click();
  await expect
    .element(page.getByText('the studio stops sending this key', { exact: false }))
    .not.toBeInTheDocument();
  await ask.click();
  await expect.element(page.getByText('The key is now bound to this server')).toBeVisible();
  await expect.element(ask).not.toBeInTheDocument();
  expect(inputs(fake.calls, 'connections.rebind')).toEqual([{ id: 'nord' }]);
});

test('a question that was refused leaves the key behind, and says so', async () => {
  const [builtIn, nord] = livedInProfiles as [Profile, Profile];
  const variable = 'LIKENESS_NORD_API_KEY';
  const boundElsewhere = { origin: '', proxy: '', ownCa: false, variable };
  const moved = {
    ...nord,
    secrets: { ...nord.secrets, apiKey: { ...nord.secrets.clientKey, boundElsewhere } },
  };
  await openStudio(
    { profiles: [builtIn, moved], rebinds: false, settings: { language: 'zh-CN' } },
    '#/settings/connections/nord',
  );
  await expect
    .element(page.getByText('LIKENESS_NORD_API_KEY 尚未用于任何服务器；不会发送到此处'))
    .toBeVisible();
  await page.getByRole('button', { name: '在此处也使用' }).click();
  await expect.element(page.getByText('密钥仍绑定到其他服务器')).toBeVisible();
});
