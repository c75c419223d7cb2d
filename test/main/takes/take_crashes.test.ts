/** `npm run soak -- takes` in short. */
import { expect, test } from 'vitest';
import { crashTakes } from './take_crashes.ts';

const kills = Number(process.env.LIKENESS_KILLS ?? 4);

test('killed while it records, edits and exports, it loses a second at most, and no file is half', {
  timeout: 600_000,
}, async () => {
  const { kills: killed, lost, faults } = await crashTakes(7, kills);
  expect(faults).toEqual([]);
  expect(killed).toBe(kills);
  expect(lost).toBeLessThanOrEqual(1);
});
