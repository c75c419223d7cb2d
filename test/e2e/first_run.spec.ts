import { seriousFaults } from './accessibility.ts';
import { expect, test } from './studio.ts';

test('a person enters by the link, once, and stands before the first-run screen', async ({
  app,
  shell,
  chromiumBrowser,
}) => {
  test.skip(shell === 'electron', 'Electron has no link to enter by');
  await expect(app.getByRole('button').first()).toBeVisible();
  expect(new URL(app.url()).hash).not.toContain('token');
  // The link of somebody who looked over the shoulder is worth nothing.
  const used = /#token=(\S+)/.exec(app.studio?.output() ?? '')?.[1];
  const stranger = await chromiumBrowser.newPage();
  await stranger.goto(`${new URL(app.url()).origin}/#token=${used}`);
  await expect(stranger.getByRole('status')).toContainText('already used');
  await stranger.close();
});

test('the page has the studio, and nothing of the machine', async ({ app, shell }) => {
  await expect(app.getByRole('button').first()).toBeVisible();
  const info = await app.evaluate(() =>
    (window as unknown as { studio: { app: { info(): Promise<unknown> } } }).studio.app.info(),
  );
  expect(info).toMatchObject({ ok: true, value: { shell } });
  const leaked = await app.evaluate(() =>
    ['require', 'process', 'Buffer', 'module'].filter((name) => name in window),
  );
  expect(leaked).toEqual([]);
  // DevTools may evaluate what a page may not: the attempt must come from a turn of the page's own.
  const evaluated = await app.evaluate(
    () =>
      new Promise((resolve) => {
        setTimeout(() => {
          try {
            resolve(new Function('return "evaluated"')());
          } catch (error) {
            resolve(String(error));
          }
        });
      }),
  );
  expect(evaluated).toContain('EvalError');
});

test('no screen has a serious accessibility fault', async ({ app }) => {
  await expect(app.getByRole('button').first()).toBeVisible();
  expect(await seriousFaults(app)).toEqual([]);
});
