import { inEnglish } from '@likeness/messages';
import { expect, it } from 'vitest';
import { queueNoticesOf } from '../../../main/commands/output/queue_notices.ts';

it('says once that the queue is blocked, once that it continues, and when the engine was started again', () => {
  let now = 0;
  let restarts = 2;
  const lines: { notice: string; message: string }[] = [];
  const terminal = {
    out: () => {},
    error: (text: string) => void lines.push(JSON.parse(text)),
    environment: {},
  };
  const notice = queueNoticesOf(
    { terminal, asJson: () => true, isQuiet: () => false, words: inEnglish },
    () => restarts,
    () => now,
  );
  const kinds = () => lines.map((line) => line.notice);
  const each100Ms = (seconds: number, held: string): void => {
    for (const end = now + seconds * 1000; now < end; now += 100) notice(held);
  };
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
  restarts = 3;
  each100Ms(1, '');
  // The person restarted it: it counts from 0 again.
  restarts = 0;
  each100Ms(1, '');
  restarts = 1;
  each100Ms(1, '');
  expect(kinds().slice(2)).toEqual(['engine_restarted', 'engine_restarted']);
});
