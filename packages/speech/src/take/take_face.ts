/**
 * A take's face, made from its whole recording. The following audio is known, so nothing is delayed. Known
 * words determine the mouth.
 */
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { arkitCount, type FaceFrame, poseBetween, speechFaceChannels } from '../face_frame.ts';
import {
  ffViseme,
  jawOpen,
  makeClosure,
  makeTeethContact,
  mouthChannels,
  mouthClose,
  ppViseme,
  roundingChannels,
} from '../mouth_shapes.ts';
import { visemeCount } from '../speech_model.ts';
import { contactsOfVoice } from './contacts_of_voice.ts';
import { heardMouth, type MouthTrack } from './heard_mouth.ts';
import {
  ContactCourse,
  type ContactKind,
  type ContactThresholds,
  contactPosterior,
  contactsSpoken,
  joined,
  type LipContact,
  nearing,
} from './lip_contacts.ts';
import { planSpoken, type SpokenPlan, spokenMouth, trustOf } from './spoken_mouth.ts';
import { TakeLiveliness } from './take_liveliness.ts';
import type { TakeVoice } from './take_voice.ts';

/** Options of a part of a take's face. */
export interface TakeFaceOptions {
  /** Frames a second, 24..120. */
  frameRate: number;
  /** Seed of blinks, gaze, brows and head. @default 1 */
  seed?: number | undefined;
  /** How far the jaw opens: .2 mumbling .. 2 shouting. @default 1 */
  jaw?: number | undefined;
  /** Strength of lip movement, .2..2; p, b, m close the lips at any value. @default 1 */
  lips?: number | undefined;
  /** Only the frames from `from` on and before `to`, seconds. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Contacts of lips and of teeth on the lip, over a whole take. */
export type TakeContacts = Readonly<Record<ContactKind, readonly LipContact[]>>;

interface Plan {
  readonly contacts: TakeContacts;
  readonly spoken: SpokenPlan | null;
}

const frame = 0.01;
/** Frames of 10 ms made in one go. */
const block = 200;

/**
 * Makes the faces of one recording. Results that don't depend on words, dials and range are computed once.
 */
export class TakeFaceMaker {
  readonly #voice: TakeVoice;
  readonly #thresholds: Readonly<Record<ContactKind, number>>;
  readonly #sure: Readonly<Record<ContactKind, Float32Array>>;
  readonly #heard: TakeContacts;
  #planned: { alignment: SpeechAlignment | null; plan: Plan } | undefined;
  #lively: { seed: number; liveliness: TakeLiveliness } | undefined;

  constructor(voice: TakeVoice, thresholds: ContactThresholds) {
    this.#voice = voice;
    this.#thresholds = { lips: thresholds.closureThreshold, teeth: thresholds.lipTeethThreshold };
    this.#sure = { lips: contactPosterior(voice, 'lips'), teeth: contactPosterior(voice, 'teeth') };
    this.#heard = {
      lips: contactsOfVoice(voice, 'lips', this.#thresholds.lips),
      teeth: contactsOfVoice(voice, 'teeth', this.#thresholds.teeth),
    };
  }

  /** Returns the contacts of the lips and of the teeth with the lip, with these words or without any. */
  contacts(alignment: SpeechAlignment | null): TakeContacts {
    return this.#plan(alignment).contacts;
  }

  /** @returns the wanted frames in order, a couple of seconds at a time */
  *frames(alignment: SpeechAlignment | null, options: TakeFaceOptions): Generator<FaceFrame[], void> {
    const { frameRate, seed = 1, jaw = 1, lips = 1, from = 0, to = Number.POSITIVE_INFINITY } = options;
    const { seconds } = this.#voice;
    const plan = this.#plan(alignment);
    const liveliness = this.#livelinessOf(seed);
    const courses = {
      lips: new ContactCourse(plan.contacts.lips),
      teeth: new ContactCourse(plan.contacts.teeth),
    };
    // Rounded up, with a tolerance just above a whole number.
    const firstFrom = (time: number): number => Math.max(0, Math.ceil(time * frameRate - 1e-6));
    const end = firstFrom(Math.min(seconds, to));
    for (let first = firstFrom(from); first < end; ) {
      const start = Math.floor((first / frameRate) * 100);
      const next = Math.min(end, Math.max(first + 1, firstFrom((start + block) * frame)));
      const moments = this.#moments(plan, liveliness, { jaw, lips }, start, start + block + 2);
      yield Array.from({ length: next - first }, (_, k) => moments.frameAt((first + k) / frameRate, courses));
      first = next;
    }
  }

  #moments(
    plan: Plan,
    liveliness: TakeLiveliness,
    dials: { jaw: number; lips: number },
    from: number,
    wantedTo: number,
  ): Moments {
    const to = Math.min(this.#voice.frames, wantedTo);
    const heard = heardMouth(this.#voice, dials, from, to);
    const near = { lips: this.#nearing('lips', from, to), teeth: this.#nearing('teeth', from, to) };
    if (plan.spoken) {
      const trust = trustOf(plan.spoken, from, to);
      const spoken = spokenMouth(plan.spoken, this.#voice, dials, from, to);
      mixInto(heard, spoken, trust);
      for (const values of [near.lips, near.teeth]) {
        for (let i = 0; i < values.length; i++)
          values[i] = (values[i] as number) * (1 - (trust[i] as number));
      }
    }
    return new Moments(from, heard, near, liveliness.stretch(from, to));
  }

  /** How near the lips come to an uncertain contact. */
  #nearing(kind: ContactKind, from: number, to: number): Float32Array {
    const threshold = this.#thresholds[kind];
    const { faint } = this.#voice;
    const isBreath = (i: number): boolean => kind === 'teeth' && faint[from + i] === 1;
    return this.#sure[kind].slice(from, to).map((sure, i) => (isBreath(i) ? 0 : nearing(sure, threshold)));
  }

  #plan(alignment: SpeechAlignment | null): Plan {
    const words = alignment?.verdict === 'aligned' ? alignment : null;
    if (this.#planned?.alignment !== words || !this.#planned) {
      this.#planned = { alignment: words, plan: this.#planOf(words) };
    }
    return this.#planned.plan;
  }

  /** Uses the words' contacts in their stretches, and the detected ones elsewhere. */
  #planOf(words: SpeechAlignment | null): Plan {
    if (!words) return { contacts: this.#heard, spoken: null };
    const spoken = planSpoken(words, this.#voice.seconds);
    const trust = trustOf(spoken, 0, this.#voice.frames);
    const contacts = (kind: ContactKind): LipContact[] => {
      const heard = this.#heard[kind].filter(({ start, end }) => {
        const middle = Math.min(trust.length - 1, Math.max(0, Math.round((start + end) / 2 / frame)));
        return (trust[middle] as number) < 0.5;
      });
      return joined([...heard, ...contactsSpoken(words, kind)]);
    };
    return { contacts: { lips: contacts('lips'), teeth: contacts('teeth') }, spoken };
  }

  #livelinessOf(seed: number): TakeLiveliness {
    if (this.#lively?.seed !== seed) {
      this.#lively = { seed, liveliness: new TakeLiveliness(this.#voice, seed) };
    }
    return this.#lively.liveliness;
  }
}

/** The face every 10 ms of a stretch, with interpolation in between. */
class Moments {
  readonly #from: number;
  readonly #mouth: MouthTrack;
  readonly #near: Readonly<Record<ContactKind, Float32Array>>;
  readonly #lively: ReturnType<TakeLiveliness['stretch']>;

  constructor(
    from: number,
    mouth: MouthTrack,
    near: Readonly<Record<ContactKind, Float32Array>>,
    lively: ReturnType<TakeLiveliness['stretch']>,
  ) {
    this.#from = from;
    this.#mouth = mouth;
    this.#near = near;
    this.#lively = lively;
  }

  /** Contacts apply to this exact moment, not interpolated: a frame within a contact shows it fully. */
  frameAt(timeCode: number, courses: Readonly<Record<ContactKind, ContactCourse>>): FaceFrame {
    const { poses } = this.#lively;
    const last = poses.length - 1;
    const position = Math.min(last, Math.max(0, timeCode / frame - this.#from));
    // A position just below a whole frame counts as that frame.
    const at = Math.min(last, Math.floor(position + 1e-6));
    const next = Math.min(last, at + 1);
    const part = Math.max(0, position - at);
    const between = (values: Float32Array, width: number, c: number): number => {
      const a = values[at * width + c] as number;
      return a + ((values[next * width + c] as number) - a) * part;
    };
    const weights = new Float32Array(speechFaceChannels.length);
    for (let c = 0; c < arkitCount; c++) weights[c] = between(this.#lively.weights, arkitCount, c);
    mouthChannels.forEach(({ channel }, c) => {
      weights[channel] = between(this.#mouth.weights, mouthChannels.length, c);
    });
    for (let v = 0; v < visemeCount; v++) {
      weights[arkitCount + v] = between(this.#mouth.visemes, visemeCount, v);
    }
    const contact = (kind: ContactKind): number =>
      Math.max(courses[kind].amount(timeCode), between(this.#near[kind], 1, 0));
    makeContacts(weights, contact('teeth'), contact('lips'));
    for (let c = 0; c < weights.length; c++) weights[c] = Math.min(1, Math.max(0, weights[c] as number));
    return { timeCode, weights, ...poseBetween(poses[at]!, poses[next]!, part) };
  }
}

/** Puts the teeth on the lip, then the lips together, each 0..1. */
function makeContacts(weights: Float32Array, teeth: number, lips: number): void {
  // lips that round over an open jaw never shut
  weights[mouthClose] = Math.min(weights[mouthClose] as number, 0.85 * (weights[jawOpen] as number));
  makeTeethContact(weights, teeth);
  closeFunnel(weights, lips);
  makeClosure(weights, lips);
  showViseme(weights, ffViseme, teeth * (1 - lips));
  showViseme(weights, ppViseme, lips);
}

/**
 * Purses lips that meet. A funnel holds the lips apart; with dials or a rounded vowel beside it, the closure
 * would leave a gap of two millimetres.
 */
function closeFunnel(weights: Float32Array, lips: number): void {
  const [funnel, pucker] = roundingChannels as [number, number];
  const turned = lips * (weights[funnel] as number);
  weights[funnel] = (weights[funnel] as number) - turned;
  weights[pucker] = Math.min(1, (weights[pucker] as number) + 0.5 * turned);
}

/** Shows a contact's viseme as well; the other visemes decrease, so that their sum stays. */
function showViseme(weights: Float32Array, viseme: number, contact: number): void {
  const own = weights[arkitCount + viseme] as number;
  if (contact <= own || contact < 0.5) return;
  const rest = (1 - contact) / Math.max(1e-6, 1 - own);
  for (let v = 0; v < visemeCount; v++) {
    weights[arkitCount + v] = v === viseme ? contact : (weights[arkitCount + v] as number) * rest;
  }
}

function mixInto(mouth: MouthTrack, other: MouthTrack, share: Float32Array): void {
  for (const key of ['weights', 'visemes'] as const) {
    const [into, from] = [mouth[key], other[key]];
    const width = into.length / share.length;
    for (let i = 0; i < into.length; i++) {
      const part = share[Math.floor(i / width)] as number;
      into[i] = (into[i] as number) + ((from[i] as number) - (into[i] as number)) * part;
    }
  }
}
