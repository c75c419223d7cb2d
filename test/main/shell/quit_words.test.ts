import { t, translate } from '@likeness/messages';
import { expect, test } from 'vitest';

test('quitting says of each work what becomes of it: the queue continues, a recording does not', () => {
  const take = t('desktop.quit_loses', { work: 'take' });
  expect(t('desktop.quit_loses', { work: 'heads' }).text).toContain('The queue continues at the next start.');
  expect(take.text).toContain('The recording ends now and is kept as a take.');
  expect(take.text).not.toMatch(/next start/);
  expect(translate(take, 'zh-CN')).not.toMatch(/下次启动/);
});
