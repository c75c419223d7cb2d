import { expect, test } from 'vitest';
import { BeamSearch } from '../../src/align/beam_search.ts';
import { Trail, trailStart } from '../../src/align/trail.ts';
import { VisemeScores } from '../../src/align/viseme_scores.ts';
import { WordGraph } from '../../src/align/word_graph.ts';
import { Turns } from '../../src/turns.ts';
import { posteriorsOf, speech } from './spoken_posteriors.ts';

async function search(count: number) {
  const { words, said } = speech(count);
  const heard = posteriorsOf(said.flat());
  const found = new BeamSearch(new VisemeScores(heard), new WordGraph(words));
  const steps = await found.find(0, heard.frames, new Turns({}), () => 0);
  return { found, steps, frames: heard.frames };
}

test('work and memory grow with the frames, not with frames times words', async () => {
  const short = await search(150);
  const long = await search(450);
  const perFrame = ({ found, frames }: typeof short): number => found.visited / frames;
  expect(perFrame(long)).toBeLessThan(1.5 * perFrame(short));
  expect(perFrame(long)).toBeLessThan(3000);
  expect(long.found.trailCapacity).toBeLessThanOrEqual(1 << 18);
  expect(long.steps?.length).toBeGreaterThanOrEqual(450 * 3);
});

test('back-pointers of living paths outlive a sweep', () => {
  const trail = new Trail(8);
  const living = new Int32Array([trailStart, trailStart]);
  for (let frame = 0; frame < 1000; frame++) {
    if (!trail.hasRoom(2)) trail.sweep([living], 2);
    living[0] = trail.add(living[0] as number, frame, frame);
    trail.add(living[1] as number, -1, frame);
  }
  expect(trail.follow(living[0] as number).map(({ state }) => state)).toEqual(
    Array.from({ length: 1000 }, (_, k) => k),
  );
  expect(trail.capacity).toBeLessThanOrEqual(8192);
});
