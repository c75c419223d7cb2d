import { inEnglish, type Message, t, translate } from '@likeness/messages';
import { expect, it } from 'vitest';
import { queueNoticesOf } from '../../../main/commands/output/queue_notices.ts';

/** Calls the listener ten times a second, as a command does. */
function watching(words: (said: Message) => string = inEnglish) {
  let now = 0;
  const engine = { restarts: 0 };
  const lines: { notice: string; message: string }[] = [];
  const terminal = {
    out: () => {},
    error: (text: string) => void lines.push(JSON.parse(text)),
    environment: {},
  };
  const notice = queueNoticesOf(
    { terminal, asJson: () => true, isQuiet: () => false, words },
    () => engine.restarts,
    () => now,
  );
  return {
    engine,
    lines,
    kinds: () => lines.map((line) => line.notice),
    each100Ms(seconds: number, held: Message, nextAttemptMs: number | null = null): void {
      for (const end = now + seconds * 1000; now < end; now += 100) notice(held, nextAttemptMs);
    },
  };
}

it('says once that the queue is blocked, once that it continues, and when the engine was started again', () => {
  const { engine, lines, kinds, each100Ms } = watching();
  each100Ms(5, '');
  // A pause that passes by itself is no news.
  each100Ms(2, 'Too many requests.');
  each100Ms(1, '');
  expect(kinds()).toEqual([]);
  each100Ms(60, 'The disk is full.');
  expect(kinds()).toEqual(['blocked']);
  expect(lines[0]?.message).toContain('The disk is full.');
  each100Ms(1, '');
  expect(kinds()).toEqual(['blocked', 'continues']);
  engine.restarts = 3;
  each100Ms(1, '');
  // The person restarted it: it counts from 0 again.
  engine.restarts = 0;
  each100Ms(1, '');
  engine.restarts = 1;
  each100Ms(1, '');
  expect(kinds().slice(2)).toEqual(['engine_restarted', 'engine_restarted']);
});

it('says what the server answered and when it is tried again, anew with another reason and from time to time', () => {
  const { lines, each100Ms } = watching();
  each100Ms(5, 'Answer 500', 7600);
  expect(lines.map(({ message }) => message)).toEqual([
    'The queue is blocked. Answer 500. Next attempt in 8 s.',
  ]);
  each100Ms(20, 'Answer 503', 30_000);
  expect(lines[1]?.message).toBe('The queue is still blocked. Answer 503. Next attempt in 30 s.');
  // A day of it: often at first, then each half hour.
  each100Ms(3600, 'Answer 503');
  expect(lines).toHaveLength(2 + 4);
  each100Ms(23 * 3600, 'Answer 503');
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.length).toBeLessThan(60);
});

it('reports once where two reasons alternate many times a minute', () => {
  const { lines, each100Ms } = watching();
  for (let turn = 0; turn < 60; turn += 1) each100Ms(1, turn % 2 ? 'Answer 500.' : 'Answer 503.');
  expect(lines).toHaveLength(1);
});

it('says it in Chinese', () => {
  const { lines, each100Ms } = watching((said) => translate(said, 'zh-CN'));
  each100Ms(5, t('engine.it_ended'), 2000);
  expect(lines[0]?.message).toBe('队列受阻。已退出。2 秒后重试。');
});
