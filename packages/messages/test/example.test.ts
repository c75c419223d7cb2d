import { expect, it } from 'vitest';
import { exampleFolder, runExample } from '../../../test/support/run_example.ts';

it('the example prints a message in both languages', async () => {
  const { stdout } = await runExample('packages/messages', await exampleFolder());
  const [stored = '', english, chinese] = stdout.trimEnd().split('\n');
  expect(JSON.parse(stored)).toMatchObject({ key: 'upstream.no_key', values: { profileName: 'Studio' } });
  expect([english, chinese]).toEqual([
    'The connection “Studio” has no API key.',
    '连接“Studio”没有 API key。',
  ]);
});
