import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { queryClient } from '../../../renderer/base/studio-queries.ts';
import { Themed } from '../../../renderer/base/Themed.tsx';
import { initLanguages } from '../../../renderer/frame/init-languages.ts';
import { HeadSelect } from '../../../renderer/live/panels/HeadSelect.tsx';
import { modelOf } from '../../fixtures/studio/library.ts';
import { fakeStudio } from '../../fixtures/studio/studio.ts';

/** The field over a library of so many heads. Says which is chosen. */
async function open(heads: number, first: string): Promise<() => string> {
  const models = Array.from({ length: heads }, (_, number) => modelOf(number));
  const fake = fakeStudio({ library: { models } });
  Object.assign(window, { studio: fake.bridge });
  queryClient.clear();
  queryClient.setQueryData(['settings'], { language: 'en', theme: 'dark', reducedMotion: 'on' });
  await initLanguages('en');
  let chosen = first;
  function Field() {
    const [value, setValue] = useState(first);
    chosen = value;
    return <HeadSelect value={value} onChange={setValue} />;
  }
  await render(
    <QueryClientProvider client={queryClient}>
      <Themed>
        <Field />
      </Themed>
    </QueryClientProvider>,
  );
  return () => chosen;
}
const field = () => page.getByRole('combobox', { name: 'Head' });

test('of hundreds of heads each is found by typing, over what is chosen', async () => {
  const chosen = await open(450, '');
  await expect.element(field()).toHaveValue('Default head');
  await field().click();
  await userEvent.keyboard('Head 437');
  await page.getByRole('option', { name: 'Head 437' }).click();
  await expect.poll(chosen).toBe('model-437');
  await expect.element(field()).toHaveValue('Head 437');
  await field().click();
  await userEvent.keyboard('nobody');
  await expect.element(page.getByText('No heads match')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await userEvent.tab();
  await expect.element(field()).toHaveValue('Head 437');
});

test('a head that is chosen is named, however long ago it was changed', async () => {
  await open(450, 'model-449');
  await expect.element(field()).toHaveValue('Head 449');
});

test('heads are offered with their pictures', async () => {
  await open(3, '');
  await field().click();
  const option = page.getByRole('option', { name: 'Head 2' });
  await expect.element(option).toBeVisible();
  const picture = option.element().querySelector('img');
  expect(picture?.getAttribute('src')).toMatch(/^\/asset\/thumbnail\/model-2/);
});

test('a head that is gone is the default one', async () => {
  await open(3, 'model-9');
  await expect.element(field()).toHaveValue('Default head');
});
