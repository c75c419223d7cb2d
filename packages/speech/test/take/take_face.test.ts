import {
  type ArkitBlendshapeName,
  arkitBlendshapeIndex,
  arkitBlendshapeNames,
} from '@likeness/proto/blendshapes.ts';
import type { AlignedWord, SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { describe, expect, it } from 'vitest';
import { lipsOf } from '../../../../test/bench/lips.ts';
import type { FaceFrame } from '../../src/face_frame.ts';
import { mouthChannels } from '../../src/mouth_shapes.ts';
import { contactsHeard } from '../../src/take/lip_contacts.ts';
import { phoneTargets } from '../../src/take/phone_targets.ts';
import { TakeFaceMaker } from '../../src/take/take_face.ts';
import type { TakeVoice } from '../../src/take/take_voice.ts';

const order = 'sil PP FF TH DD kk CH SS nn RR aa E I O U'.split(' ');
const thresholds = { closureThreshold: 0.55, lipTeethThreshold: 0.3 };

/** A voice through visemes that each last some frames of 10 ms. */
function voiceOf(...steps: [viseme: string, frames: number][]): TakeVoice {
  const visemes = steps.flatMap(([viseme, frames]) =>
    Array.from({ length: frames }, () => order.indexOf(viseme)),
  );
  const frames = visemes.length;
  const posteriors = new Float32Array(15 * frames);
  visemes.forEach((viseme, i) => {
    posteriors[15 * i + viseme] = 1;
  });
  return {
    frames,
    seconds: frames / 100,
    posteriors,
    contacts: Float32Array.from(visemes.flatMap((viseme) => [viseme === 1 ? 1 : 0, viseme === 2 ? 1 : 0])),
    loudness: Float32Array.from(visemes, (viseme) => (viseme === 0 ? 0 : 0.9)),
    faint: Uint8Array.from(visemes, (viseme) => (viseme === 0 ? 1 : 0)),
    pitch: new Float32Array(frames).fill(Number.NaN),
  };
}

const word = (text: string, phones: AlignedWord['phones'], more: Partial<AlignedWord> = {}): AlignedWord => ({
  text,
  from: 0,
  to: text.length,
  language: 'en',
  start: phones[0]?.start ?? 0,
  end: phones.at(-1)?.end ?? 0,
  confidence: 1,
  flag: null,
  pinned: false,
  phones,
  ...more,
});
const aligned = (...words: AlignedWord[]): SpeechAlignment => ({ verdict: 'aligned', words, unknown: [] });
/** Phones one after the other, each of some seconds. */
function phonesFrom(start: number, ...phones: [phone: string, seconds: number][]): AlignedWord['phones'] {
  let at = start;
  return phones.map(([phone, seconds]) => {
    const one = { phone, start: at, end: at + seconds, confidence: 1 };
    at += seconds;
    return one;
  });
}

const framesOf = (
  voice: TakeVoice,
  alignment: SpeechAlignment | null = null,
  options: Partial<Parameters<TakeFaceMaker['frames']>[1]> = {},
): FaceFrame[] =>
  [...new TakeFaceMaker(voice, thresholds).frames(alignment, { frameRate: 100, ...options })].flat();
const weight = (frame: FaceFrame | undefined, name: ArkitBlendshapeName): number =>
  frame?.weights[arkitBlendshapeIndex[name]] as number;
const viseme = (frame: FaceFrame | undefined, name: string): number =>
  frame?.weights[arkitBlendshapeNames.length + order.indexOf(name)] as number;
const nearest = (frames: FaceFrame[], time: number): FaceFrame =>
  frames.toSorted((a, b) => Math.abs(a.timeCode - time) - Math.abs(b.timeCode - time))[0] as FaceFrame;

describe('contacts that are heard', () => {
  const sure = (...values: number[]): Float32Array => Float32Array.from(values);

  it('last 50 ms at least, and slips of the network are none', () => {
    expect(contactsHeard(sure(0, 0.9, 0.9, 0, 0, 0), 0.5)).toEqual([]);
    const [contact] = contactsHeard(sure(0, 0, 0, 0.9, 0.9, 0.9, 0.9, 0, 0, 0), 0.5);
    expect(contact!.end - contact!.start).toBeCloseTo(0.05, 6);
    expect((contact!.start + contact!.end) / 2).toBeCloseTo(0.045, 6);
  });

  it('do not flutter about the threshold, and end where it is really left', () => {
    const about = Array.from({ length: 20 }, (_, i) => (i % 2 ? 0.45 : 0.6));
    expect(contactsHeard(sure(0, ...about, 0), 0.5)).toHaveLength(1);
    const two = [0.9, 0.9, 0.9, 0.9, 0.1, 0, 0, 0, 0.1, 0.9, 0.9, 0.9, 0.9];
    expect(contactsHeard(sure(0, ...two, 0), 0.5)).toHaveLength(2);
  });

  it('are the same heard backwards', () => {
    const forwards = sure(0, 0.2, 0.5, 0.8, 0.9, 0.7, 0.4, 0.2, 0.1, 0.7, 0.8, 0.8, 0.7, 0.1, 0);
    const there = contactsHeard(forwards, 0.5);
    const back = contactsHeard(forwards.toReversed(), 0.5).toReversed();
    expect(there).toHaveLength(2);
    there.forEach(({ start, end }, k) => {
      expect(0.14 - back[k]!.end).toBeCloseTo(start, 6);
      expect(0.14 - back[k]!.start).toBeCloseTo(end, 6);
    });
  });
});

describe('a take’s face from its sound', () => {
  it('shows every closure whole, whatever the frame rate and wherever a frame falls', () => {
    for (const frameRate of [24, 30, 60]) {
      for (let before = 30; before < 42; before++) {
        const voice = voiceOf(['aa', before], ['PP', 4], ['aa', 60 - before]);
        const frame = nearest(framesOf(voice, null, { frameRate }), (before + 1.5) / 100);
        expect(viseme(frame, 'PP')).toBeGreaterThanOrEqual(0.98);
        expect(lipsOf(frame.weights).gap).toBeLessThan(0.25);
      }
    }
  });

  it('comes neither late nor early: heard backwards it moves backwards', () => {
    const steps: [string, number][] = [
      ['sil', 30],
      ['aa', 20],
      ['PP', 6],
      ['O', 15],
      ['SS', 10],
      ['I', 20],
      ['sil', 30],
    ];
    const there = framesOf(voiceOf(...steps));
    const back = framesOf(voiceOf(...steps.toReversed())).toReversed();
    // A contact is left more slowly than it is made.
    const awayFromContact = [...there.keys()].filter((k) => k <= 40 || k >= 68);
    expect(awayFromContact.length).toBeGreaterThan(60);
    for (const name of ['jawOpen', 'mouthPucker', 'mouthStretchLeft'] as const)
      for (const k of awayFromContact) expect(weight(there[k], name)).toBeCloseTo(weight(back[k], name), 4);
  });

  it('rests shut in silence and leaves no lips half parted', () => {
    const frames = framesOf(voiceOf(['sil', 100]));
    for (const frame of frames) expect(Math.abs(lipsOf(frame.weights).gap)).toBeLessThan(0.3);
  });

  it('does not take a breath for an f', () => {
    const voice = voiceOf(['sil', 20], ['FF', 20], ['sil', 20]);
    voice.faint.fill(1);
    expect(Math.max(...framesOf(voice).map((frame) => weight(frame, 'mouthRollLower')))).toBe(0);
    voice.faint.fill(0, 20, 40);
    expect(Math.max(...framesOf(voice).map((frame) => weight(frame, 'mouthRollLower')))).toBe(1);
  });

  it('makes a part as the whole has it', () => {
    const voice = voiceOf(...Array.from({ length: 20 }, (_, k) => [order[k % 15]!, 61] as [string, number]));
    const whole = framesOf(voice, null, { frameRate: 60 });
    expect(whole).toHaveLength(Math.ceil(voice.seconds * 60));
    for (const [from, to] of [
      [0, 1],
      [5.21, 7.4],
      [11, 99],
    ] as const) {
      const part = framesOf(voice, null, { frameRate: 60, from, to });
      expect(part).toEqual(whole.filter(({ timeCode }) => timeCode >= from && timeCode < to));
    }
  });
});

describe('a take’s face from its words', () => {
  /** A voice in which nothing is clear, so that what is seen comes of the words. */
  const unclear = voiceOf(['kk', 100]);

  it('begins to round the lips of “stew” at its s, and not those of “steep”', () => {
    const face = (vowel: string): FaceFrame[] =>
      framesOf(unclear, aligned(word('stew', phonesFrom(0.3, ['S', 0.1], ['T', 0.07], [vowel, 0.2]))));
    const [stew, steep] = [face('UW'), face('IY')];
    const max = Math.max(...stew.map((frame) => weight(frame, 'mouthPucker')));
    expect(max).toBeGreaterThan(0.5);
    const atS = nearest(stew, 0.38);
    expect(weight(atS, 'mouthPucker')).toBeGreaterThan(0.2 * max);
    expect(weight(nearest(stew, 0.43), 'mouthPucker')).toBeGreaterThan(0.4 * max);
    expect(weight(nearest(steep, 0.38), 'mouthPucker')).toBeLessThan(0.05);
    expect(weight(nearest(steep, 0.6), 'mouthStretchLeft')).toBeGreaterThan(0.2);
  });

  it.each(['AA', 'AE', 'UW', 'OW', 'SH', 'R', 'TH', 'ü', 'zh'])(
    'shuts the lips on the head for p, b, m beside %s, with any dials',
    (phone) => {
      for (const [closure, length] of [
        ['P', 0.09],
        ['B', 0.04],
        ['M', 0.06],
        ['m', 0.07],
      ] as const) {
        const phones = phonesFrom(0.3, [phone, 0.15], [closure, length], [phone, 0.15]);
        const { start, end } = phones[1]!;
        for (const dial of [0.2, 1, 2]) {
          for (const frameRate of [24, 30, 60]) {
            const frames = framesOf(unclear, aligned(word('x', phones)), {
              frameRate,
              jaw: dial,
              lips: dial,
            });
            const within = frames.filter(({ timeCode }) => timeCode > start - 0.02 && timeCode < end + 0.02);
            expect(Math.min(...within.map(({ weights }) => lipsOf(weights).gap))).toBeLessThan(0.25);
            expect(Math.max(...within.map((frame) => viseme(frame, 'PP')))).toBeGreaterThanOrEqual(0.98);
          }
        }
      }
    },
  );

  it('leaves flagged words to the sound, and goes over within 60 ms', () => {
    const voice = voiceOf(['aa', 100]);
    const wrong = word('boom', phonesFrom(0.3, ['B', 0.1], ['UW', 0.2], ['M', 0.1]), { flag: 'changed' });
    const right = word('two', phonesFrom(0.75, ['T', 0.05], ['UW', 0.15]));
    const [sound, face] = [framesOf(voice), framesOf(voice, aligned(wrong, right))];
    for (const k of [35, 40, 50, 60, 68]) {
      expect(weight(face[k], 'jawOpen')).toBeCloseTo(weight(sound[k], 'jawOpen'), 4);
      expect(weight(face[k], 'mouthPucker')).toBeCloseTo(weight(sound[k], 'mouthPucker'), 4);
    }
    expect(weight(face[88], 'mouthPucker')).toBeGreaterThan(0.4);
    expect(weight(face[88], 'jawOpen')).toBeLessThan(0.6 * weight(sound[88], 'jawOpen'));
  });

  it('is the sound’s own where the words are those of another recording', () => {
    const voice = voiceOf(['aa', 50], ['PP', 8], ['O', 42]);
    const other: SpeechAlignment = { verdict: 'other_words', words: [], unknown: [] };
    expect(framesOf(voice, other)).toEqual(framesOf(voice));
  });

  it('opens the jaw by its dial, moves the lips by theirs, and shuts them for a mumbled p all the same', () => {
    const phones = phonesFrom(0.3, ['AA', 0.2], ['P', 0.1], ['OW', 0.2]);
    const face = (jaw: number, lips: number): FaceFrame[] =>
      framesOf(unclear, aligned(word('apo', phones)), { jaw, lips });
    const max = (frames: FaceFrame[], name: ArkitBlendshapeName): number =>
      Math.max(...frames.map((frame) => weight(frame, name)));
    const [plain, mumbled, shouted] = [face(1, 1), face(0.3, 0.3), face(1.6, 1.6)];
    expect(max(mumbled, 'jawOpen')).toBeLessThan(0.4 * max(plain, 'jawOpen'));
    expect(max(shouted, 'jawOpen')).toBeGreaterThan(1.4 * max(plain, 'jawOpen'));
    expect(max(mumbled, 'mouthPucker')).toBeLessThan(0.5 * max(plain, 'mouthPucker'));
    for (const frames of [plain, mumbled, shouted]) expect(viseme(nearest(frames, 0.53), 'PP')).toBe(1);
  });
});

describe('the mouth of each phone', () => {
  const english =
    'P B M F V TH DH T D K G HH CH JH SH ZH S Z N L NG R ER AA AE AH EH AX EY IH IY Y AO OW UW UH W AY AW OY';
  const mandarin =
    'b p m f d t g k h j q x zh ch sh z c s n l r a e ei ê i -i o ou u ü ai ao an ang en eng er ia ie iao iu ian ' +
    'in ing iang iong ong un ün ua uo uai ui uan uang ueng üan üe';
  const reach = (phone: string, name: ArkitBlendshapeName): number => {
    const channel = mouthChannels.findIndex((one) => one.channel === arkitBlendshapeIndex[name]);
    return Math.max(...phoneTargets(phone).map(({ weights }) => weights[channel] as number));
  };

  it.each([...english.split(' '), ...mandarin.split(' '), 'sil'])('is there for %s', (phone) => {
    const parts = phoneTargets(phone);
    expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 6);
    for (const { weights } of parts) for (const value of weights) expect(value).toBeLessThanOrEqual(1);
  });

  it('is as phonetics has it', () => {
    const jaw = (phone: string): number => reach(phone, 'jawOpen');
    const rounded = (phone: string): number => reach(phone, 'mouthPucker');
    expect(jaw('AE')).toBeGreaterThan(jaw('AH'));
    expect(jaw('IH')).toBeGreaterThan(jaw('IY'));
    expect(jaw('UH')).toBeGreaterThan(jaw('UW'));
    expect(rounded('UW')).toBeGreaterThan(rounded('UH'));
    expect(rounded('ü')).toBeGreaterThan(0.7);
    expect(jaw('ü')).toBeLessThan(jaw('o'));
    expect(rounded('e')).toBe(0);
    expect(rounded('zh')).toBeLessThan(rounded('SH'));
    expect(reach('IY', 'mouthStretchLeft')).toBeGreaterThan(reach('IH', 'mouthStretchLeft'));
    expect(reach('TH', 'tongueOut')).toBeGreaterThan(reach('L', 'tongueOut'));
    expect(reach('L', 'tongueOut')).toBeGreaterThan(0);
  });
});
