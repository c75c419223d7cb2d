import type { Locator } from '@playwright/test';

/** Ticks the film alone in the dialog of exports. */
export async function onlyFilm(dialog: Locator): Promise<void> {
  for (const box of await dialog.getByRole('navigation').getByRole('checkbox', { checked: true }).all())
    await box.uncheck();
  await dialog.getByRole('checkbox', { name: 'Film' }).check();
}
