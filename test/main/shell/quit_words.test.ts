import { expect, test } from 'vitest';
import { shellWords } from '../../../main/shell/electron/words.ts';

test('quitting says of each work what becomes of it: the queue goes on, a recording does not', () => {
  const { heads, take } = shellWords.en.quitWhileBusy.works;
  expect(heads).toContain('The queue goes on at the next start.');
  expect(take).toContain('The recording ends here and is kept as a take.');
  expect(take).not.toMatch(/next start/);
  expect(shellWords['zh-CN'].quitWhileBusy.works.take).not.toMatch(/下次启动/);
});
