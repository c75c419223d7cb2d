import { type ArkitBlendshapeName, arkitBlendshapeIndex } from '@likeness/proto/blendshapes.ts';
import { describe, expect, it } from 'vitest';
import { loadSpeechModel } from '../src/index.ts';
import { ContactEvent, Mouth } from '../src/mouth.ts';

const model = loadSpeechModel();
const order = 'sil PP FF TH DD kk CH SS nn RR aa E I O U'.split(' ');

/** The mouth, frame by frame, through visemes that each last some frames of 10 ms. */
function speak(...steps: [viseme: string, frames: number][]): ((name: ArkitBlendshapeName) => number)[] {
  const mouth = new Mouth(model, { jaw: 1, mouth: 1 });
  return steps.flatMap(([viseme, frames]) =>
    Array.from({ length: frames }, () => {
      const posterior = new Float32Array(15);
      posterior[order.indexOf(viseme)] = 1;
      const weights = new Float32Array(52);
      mouth.step(posterior, 0.9, weights, new Float32Array(15));
      return (name: ArkitBlendshapeName) => weights[arkitBlendshapeIndex[name]] as number;
    }),
  );
}

describe('Mouth', () => {
  it('closes lips and jaw together on p, b, m and opens them again', () => {
    const frames = speak(['aa', 30], ['PP', 7], ['aa', 30]);
    expect(frames[29]?.('jawOpen')).toBeGreaterThan(0.35);
    expect(frames[29]?.('mouthClose')).toBe(0);
    const closed = frames.slice(33, 37);
    for (const at of closed) {
      expect(at('jawOpen')).toBeLessThan(0.08);
      expect(at('mouthClose')).toBeCloseTo(at('jawOpen'), 2);
      expect(at('mouthPressLeft')).toBeGreaterThan(0.2);
      expect(at('mouthLowerDownLeft')).toBeLessThan(0.02);
    }
    expect(frames[66]?.('jawOpen')).toBeGreaterThan(0.35);
    expect(frames[66]?.('mouthClose')).toBe(0);
  });

  it('closes even for a closure of 30 ms, and holds it long enough to be seen', () => {
    const frames = speak(['aa', 30], ['PP', 3], ['aa', 30]);
    expect(frames.filter((at) => at('jawOpen') < 0.1).length).toBeGreaterThanOrEqual(3);
  });

  it('begins to open at once, and goes the rest of the way without a jump', () => {
    const jaw = speak(['sil', 30], ['aa', 30]).map((at) => at('jawOpen'));
    const max = jaw[59]!;
    expect(jaw[31]! / max).toBeGreaterThan(0.3);
    expect(jaw[36]! / max).toBeGreaterThan(0.7);
    for (let k = 30; k < 60; k++) expect((jaw[k]! - jaw[k - 1]!) / max).toBeLessThan(0.35);
  });

  it('forgets a viseme that is taken back, and keeps what was before it', () => {
    const one = (viseme: string): Float32Array =>
      Float32Array.from(order, (name) => (name === viseme ? 1 : 0));
    const jawAfter = (heard: readonly string[], taken: readonly number[]): number => {
      const mouth = new Mouth(model, { jaw: 1, mouth: 1 });
      const weights = new Float32Array(52);
      for (const viseme of heard) mouth.step(one(viseme), 0.9, weights, new Float32Array(15));
      for (const age of taken) mouth.revise(age, one('aa'));
      mouth.step(one('aa'), 0.9, weights, new Float32Array(15));
      return weights[arkitBlendshapeIndex.jawOpen] as number;
    };
    const vowel = Array.from({ length: 20 }, () => 'aa');
    const open = jawAfter([...vowel, 'aa', 'aa'], []);
    expect(jawAfter([...vowel, 'U', 'SS'], [])).toBeLessThan(0.9 * open);
    expect(jawAfter([...vowel, 'U', 'SS'], [1, 2])).toBe(open);
    expect(jawAfter([...vowel, 'U', 'aa'], [2])).toBe(open);
    expect(jawAfter(['aa'], [2, 6])).toBeCloseTo(open, 5);
  });

  it('puts the teeth on the lip for f and v', () => {
    const at = speak(['aa', 30], ['FF', 8])[36];
    expect(at?.('mouthRollLower')).toBeGreaterThan(0.9);
    expect(at?.('mouthUpperUpLeft')).toBeGreaterThan(0.1);
    expect(at?.('mouthLowerDownLeft')).toBeLessThan(0.02);
    expect(at?.('jawOpen')).toBeLessThan(0.1);
    expect(at?.('mouthClose')).toBe(0);
  });

  it('does not take a breath for an f', () => {
    const mouth = new Mouth(model, { jaw: 1, mouth: 1 });
    const breath = new Float32Array(15);
    breath[order.indexOf('FF')] = 1;
    const weights = new Float32Array(52);
    for (let k = 0; k < 20; k++) mouth.step(breath, 0, weights, new Float32Array(15), true);
    expect(weights[arkitBlendshapeIndex.mouthRollLower]).toBe(0);
    for (let k = 0; k < 4; k++) mouth.step(breath, 0.1, weights, new Float32Array(15), false);
    expect(weights[arkitBlendshapeIndex.mouthRollLower]).toBeGreaterThan(0.4);
  });

  it('rounds for o and u, spreads for i, shows the tongue for th', () => {
    const [o, u, i, th] = ['O', 'U', 'I', 'TH'].map((viseme) => speak([viseme, 30])[29]);
    expect((o?.('mouthFunnel') ?? 0) + (o?.('mouthPucker') ?? 0)).toBeGreaterThan(0.6);
    expect(u?.('mouthPucker')).toBeGreaterThan(0.5);
    expect(u?.('jawOpen')).toBeLessThan(o?.('jawOpen') ?? 0);
    expect(i?.('mouthSmileLeft')).toBeGreaterThan(0.15);
    expect(i?.('mouthPucker')).toBeLessThan(0.1);
    expect(th?.('tongueOut')).toBeGreaterThan(0.2);
  });

  it('rounds the lips more slowly than it opens the jaw, and unrounds them so', () => {
    const frames = speak(['sil', 30], ['O', 40], ['sil', 40]);
    const shareOf = (name: ArkitBlendshapeName, frame: number): number =>
      frames[frame]!(name) / frames[69]!(name);
    for (const frame of [33, 36]) {
      expect(shareOf('mouthPucker', frame)).toBeGreaterThan(0.4);
      expect(shareOf('mouthPucker', frame)).toBeLessThan(shareOf('jawOpen', frame) - 0.05);
    }
    expect(shareOf('mouthPucker', 75)).toBeGreaterThan(shareOf('jawOpen', 75) + 0.05);
  });

  it('purses the lips of u over the jaw without shutting them', () => {
    const u = speak(['U', 30])[29];
    expect(u?.('mouthClose')).toBeGreaterThan(0.05);
    expect(u?.('mouthClose')).toBeLessThanOrEqual(0.86 * (u?.('jawOpen') ?? 0));
    const quick = speak(['sil', 20], ['U', 2]).at(-1);
    expect(quick?.('mouthClose')).toBeLessThanOrEqual(0.86 * (quick?.('jawOpen') ?? 0));
  });

  it('rests in silence', () => {
    const at = speak(['aa', 20], ['sil', 20])[39];
    expect(at?.('jawOpen')).toBe(0);
    expect(at?.('mouthPucker')).toBe(0);
  });
});

describe('ContactEvent', () => {
  it('is not made by one frame alone', () => {
    const contact = new ContactEvent(0.4);
    const on = [0, 0.9, 0, 0, 0.9, 0.9, 0].map((posterior) => {
      contact.step(posterior);
      return contact.on;
    });
    expect(on).toEqual([false, false, false, false, false, true, true]);
  });

  it('does not flutter about its threshold', () => {
    const contact = new ContactEvent(0.4);
    const made = Array.from({ length: 40 }, (_, i) =>
      contact.step(i < 10 ? 0 : i < 12 || i % 2 ? 0.42 : 0.35),
    );
    expect(made[5]).toBe(0);
    expect(Math.min(...made.slice(14))).toBeGreaterThan(0.9);
  });
});
