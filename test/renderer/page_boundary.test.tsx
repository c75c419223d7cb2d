import { MantineProvider } from '@mantine/core';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { initLanguages } from '../../renderer/frame/init-languages.ts';
import { PageBoundary } from '../../renderer/frame/PageBoundary.tsx';
import { fakeStudio } from '../fixtures/studio/studio.ts';

test('a place that fails to draw says so, reports it, and comes back when asked', async () => {
  const fake = fakeStudio();
  Object.assign(window, { studio: fake.bridge });
  await initLanguages('en');
  let broken = true;
  function Place() {
    if (broken) throw new Error('The curve has no points.');
    return <p>drawn</p>;
  }
  await render(
    <MantineProvider>
      <PageBoundary
        page="takes"
        onAgain={() => {
          broken = false;
        }}
      >
        <Place />
      </PageBoundary>
    </MantineProvider>,
  );
  await expect.element(page.getByRole('heading', { name: 'Takes stopped' })).toBeVisible();
  await expect.element(page.getByText('The curve has no points.')).toBeVisible();
  await expect
    .poll(() => fake.reported.map(({ message }) => message))
    .toEqual(['takes: The curve has no points.']);
  await page.getByRole('button', { name: 'Open Takes again' }).click();
  await expect.element(page.getByText('drawn')).toBeVisible();
});
