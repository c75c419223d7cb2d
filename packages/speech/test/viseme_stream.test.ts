import { describe, expect, it } from 'vitest';
import { babble } from '../../../test/support/voice.ts';
import { loadSpeechModel } from '../src/index.ts';
import { MelStream } from '../src/mel.ts';
import { VisemeStream } from '../src/viseme_stream.ts';

const model = loadSpeechModel();
const mels = new MelStream().push(babble());

describe('VisemeStream', () => {
  it('says again of older frames what a stream that waits as long says of them', () => {
    const quick = new VisemeStream(model, 0);
    const slow = new Map([2, 4, 6].map((lookahead) => [lookahead, new VisemeStream(model, lookahead)]));
    for (const mel of mels) {
      const [newest, ...older] = quick.step(mel);
      expect(newest?.age).toBe(0);
      expect(older.map(({ age }) => age)).toEqual([2, 4, 6]);
      for (const { age, posterior } of older) {
        const [said] = slow.get(age)?.step(mel) ?? [];
        expect(said?.age).toBe(0);
        expect(posterior).toEqual(said?.posterior);
        expect(posterior.reduce((sum, x) => sum + x, 0)).toBeCloseTo(1, 5);
      }
    }
  });

  it('has nothing to add at the longest lookahead, and refuses one that the model lacks', () => {
    const [newest, ...older] = new VisemeStream(model, 6).step(mels[0] as Float32Array);
    expect(newest?.posterior.length).toBe(15);
    expect(older).toEqual([]);
    expect(() => new VisemeStream(model, 3)).toThrow('30 ms');
  });
});
