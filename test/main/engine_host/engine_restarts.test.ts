import { expect, it } from 'vitest';
import { EngineRestarts } from '../../../main/engine_host/engine_restarts.ts';

const restarts = () => new EngineRestarts({ now: () => 0, after: () => () => {} });

it('gives up after more than five exits in a row', () => {
  const engine = restarts();
  const exits = [1, 2, 3, 4, 5, 6].map(() => engine.ended(0));
  expect(exits.map(({ isTooMany }) => isTooMany)).toEqual([false, false, false, false, false, true]);
});

it('goes on for as long as heads are finished between exits', () => {
  const engine = restarts();
  for (let exit = 0; exit < 50; exit += 1) {
    expect(engine.ended(0)).toEqual({ inRow: 1, isTooMany: false });
    engine.finishedWork();
  }
});
