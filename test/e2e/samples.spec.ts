import { expect, test } from './studio.ts';

test('the sample face becomes a head in the library by one click', async ({ app }) => {
  test.setTimeout(300_000);
  await app.getByRole('button', { name: 'Try with a sample face' }).click();
  const tile = app.getByRole('grid', { name: 'Photos' }).getByRole('gridcell');
  await expect(tile).toHaveAccessibleName(/, Done,/, { timeout: 240_000 });
  await tile.hover();
  await tile.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(app.getByRole('heading', { name: 'Sample face' })).toBeVisible();
});

test('the sample voice moves the head in Live', async ({ app }) => {
  test.setTimeout(120_000);
  await app.getByRole('button', { name: 'Play the sample voice' }).click();
  await expect(app.locator('canvas[data-speaking="true"]')).toBeVisible({ timeout: 60_000 });
  await expect(app.getByRole('button', { name: /^Interrupt/ })).toBeVisible({ timeout: 60_000 });
  await expect(app.getByText('The file has ended')).toBeVisible({ timeout: 60_000 });
});
