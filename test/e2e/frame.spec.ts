import { seriousFaults } from './accessibility.ts';
import { expect, test } from './studio.ts';

const screens = [
  '#/portraits',
  '#/library',
  '#/live',
  '#/takes',
  '#/activity',
  '#/settings/general',
  '#/settings/connections',
  '#/settings/connections/new',
  '#/settings/keys',
  '#/settings/engine',
  '#/settings/shortcuts',
  '#/settings/storage',
  '#/settings/pages',
  '#/settings/updates',
  '#/settings/help',
  '#/settings/help/cli',
  '#/settings/about',
];

// The themes differ in nothing but their colours.
for (const [theme, checked] of [
  ['dark', {}],
  ['light', { rules: ['color-contrast', 'link-in-text-block'] }],
] as const) {
  test(`no screen has a serious accessibility fault, ${theme}`, async ({ app }) => {
    test.setTimeout(180_000);
    const faults: unknown[] = [];
    const check = async (screen: string): Promise<void> => {
      for (const { id, where } of await seriousFaults(app, checked)) faults.push({ screen, id, where });
    };
    await app.evaluate(
      (chosen) =>
        (
          window as unknown as { studio: { app: { changeSettings(change: unknown): Promise<unknown> } } }
        ).studio.app.changeSettings({
          theme: chosen,
        }),
      theme,
    );
    await expect(app.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme);
    await check('welcome');
    await app.getByText('Look around first').click();
    for (const screen of screens) {
      await app.goto(new URL(screen, app.url()).href);
      await expect(app.getByRole('main').first()).toBeVisible();
      await check(screen);
    }
    expect(faults).toEqual([]);
  });
}

test('every place, the palette and the keyboard map are reached by keyboard', async ({ app }) => {
  await app.getByText('Look around first').click();
  for (const [letter, place] of [
    ['l', 'library'],
    ['v', 'live'],
    ['t', 'takes'],
    ['a', 'activity'],
    ['s', 'settings'],
    ['p', 'portraits'],
  ] as const) {
    await app.keyboard.press('g');
    await app.keyboard.press(letter);
    await expect(app).toHaveURL(new RegExp(`#/${place}`));
  }
  await app.keyboard.press('Control+k');
  const search = app
    .getByRole('searchbox')
    .or(app.getByRole('combobox'))
    .or(app.getByRole('textbox'))
    .first();
  await expect(search).toBeFocused();
  // Words that one command alone has: with two, which of them Enter takes would hang on the list's speed.
  await app.keyboard.type('settings: conn');
  await expect(app.locator('[data-action]')).toHaveCount(1);
  await app.keyboard.press('Enter');
  await expect(app).toHaveURL(/#\/settings\/connections$/);
  await expect(app.getByRole('dialog')).toBeHidden();
  await app.keyboard.press('?');
  await expect(app.getByRole('dialog')).toBeVisible();
  await app.keyboard.press('Escape');
  await expect(app.getByRole('dialog')).toBeHidden();
});

test('the language changes at once and stays over a reload', async ({ app }) => {
  await app.getByText('简体中文').click();
  await expect(app.getByText('肖像').first()).toBeVisible();
  await app.reload();
  await app.waitForFunction(() => 'studio' in window);
  await expect(app.locator('html')).toHaveAttribute('lang', /zh/);
});

test('the documentation is in the studio, and its links lead on', async ({ app }) => {
  await app.getByText('Look around first').click();
  await app.goto(new URL('#/settings/about', app.url()).href);
  await app.getByRole('link', { name: 'Documentation' }).click();
  const article = app.getByRole('article');
  await expect(article.getByRole('heading', { name: 'Guide', exact: true })).toBeVisible();
  await article.getByRole('link', { name: 'manifest' }).click();
  await expect(article.getByRole('heading', { level: 1 })).toHaveText(/manifest/i);
  await app.getByRole('combobox', { name: 'Page of the documentation' }).click();
  await app.getByRole('option', { name: 'Sending and receiving a face' }).click();
  await expect(article.getByRole('heading', { level: 1 })).toHaveText('Sending and receiving a face');
  // A heading of a page has an address.
  await app.goto(new URL('#/settings/help/recipes/a-film-of-a-take', app.url()).href);
  await expect(article.getByRole('heading', { name: 'A film of a take' })).toBeInViewport();
});

test('the documentation is in Chinese where a page is, and in English otherwise', async ({ app }) => {
  await app.getByText('Look around first').click();
  await app.evaluate(() =>
    (
      window as unknown as { studio: { app: { changeSettings(change: unknown): Promise<unknown> } } }
    ).studio.app.changeSettings({ language: 'zh-CN' }),
  );
  await app.goto(new URL('#/settings/help/recipes/a-film-of-a-take', app.url()).href);
  const article = app.getByRole('article');
  await expect(article.getByRole('heading', { name: '用录制制作影片' })).toBeInViewport();
  await article.getByRole('link', { name: '浏览器源' }).click();
  await expect(article.getByRole('heading', { name: 'OBS 的浏览器源' })).toBeInViewport();
  await article.getByRole('link', { name: '导出' }).click();
  await expect(article).toHaveAttribute('lang', 'en');
  await expect(article.getByRole('heading', { level: 1 })).toHaveText(/names/i);
  await app.getByRole('combobox', { name: '文档页面' }).click();
  await expect(app.getByRole('option', { name: 'The command line（英文）' })).toBeVisible();
  await app.getByRole('option', { name: '使用指南' }).click();
  await expect(article.getByRole('heading', { level: 1 })).toHaveText('使用指南');
  await expect(article).toHaveAttribute('lang', 'zh-CN');
});
