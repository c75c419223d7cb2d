import { expect, it } from 'vitest';
import { exampleFolder, runExample } from '../support/run_example.ts';

it('the example decodes the face stream that it encodes', async () => {
  const { stdout } = await runExample('proto', await exampleFolder());
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd()),
  ).toEqual(['header', 'frame [ 0.5, 0.25 ]', 'frame [ 0.75, 0 ]', 'end']);
});
