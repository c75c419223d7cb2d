/**
 * Contacts of the lips, and of the teeth with the lip. They are decided over a whole recording, with both
 * sides of every moment known. They are stored as times, so that neither smoothing nor a frame rate removes a
 * contact.
 */
import { isBilabial, isLabiodental } from '@likeness/proto/speech/phones.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { contactColumns } from '../full_pass_stream.ts';
import { maxNearing } from '../mouth_shapes.ts';
import type { TakeVoice } from './take_voice.ts';

export type ContactKind = (typeof contactColumns)[number];

/** Full contact, seconds. */
export interface LipContact {
  readonly start: number;
  readonly end: number;
}

/** Minimum confidence for a contact. */
export interface ContactThresholds {
  readonly closureThreshold: number;
  readonly lipTeethThreshold: number;
}

/** Minimum length of full contact, seconds: at 24 frames a second at least one frame shows it. */
const minHold = 0.05;
/** Shorter detections are errors of the network, seconds: it often takes an n for an m. */
const minHeard = 0.02;
/** Between two contacts the lips stay together while the posterior stays above this share. */
const releaseShare = 0.6;
/**
 * Time for closing the lips: some 50 ms, and 70 for opening (Löfqvist & Gracco 1997: /p b/ between open
 * vowels).
 */
const closingSeconds = 0.05;
const openingSeconds = 0.07;

export const frame = 0.01;

/** The network's confidence in a contact for each frame. */
export function contactPosterior({ frames, contacts }: TakeVoice, kind: ContactKind): Float32Array {
  const column = contactColumns.indexOf(kind);
  return Float32Array.from(
    { length: frames },
    (_, i) => contacts[i * contactColumns.length + column] as number,
  );
}

/**
 * Returns the detected contacts: hysteresis both ways, no errors of the network, none shorter than {@link
 * minHold}.
 */
export function contactsHeard(sure: Float32Array, threshold: number): LipContact[] {
  const found: LipContact[] = [];
  let first = -1;
  let last = -1;
  const take = (): void => {
    if (first >= 0) {
      const from = inFrames(sure, first, -1, threshold);
      const to = inFrames(sure, last, 1, threshold);
      if ((to - from) * frame >= minHeard) found.push(contactBetween(from * frame, to * frame));
    }
    first = -1;
  };
  for (let i = 0; i < sure.length; i++) {
    if ((sure[i] as number) >= threshold) {
      if (first < 0) first = i;
      last = i;
    } else if (first >= 0 && (sure[i] as number) < threshold * releaseShare) take();
  }
  take();
  return joined(found);
}

/** Position at which the posterior crosses the threshold after a contact, in frames with a fraction. */
function inFrames(sure: Float32Array, at: number, direction: 1 | -1, threshold: number): number {
  const inside = sure[at] as number;
  const outside = sure[at + direction] ?? 0;
  return at + direction * Math.min(0.5, Math.max(0, (inside - threshold) / Math.max(1e-6, inside - outside)));
}

/** The share of a plosive's time before its release: English p is followed by aspiration. */
const closedShare: Readonly<Record<string, number>> = { P: 0.65, B: 0.8, p: 0.5, b: 0.75 };

/** Returns the contacts that the words require, within their phones. */
export function contactsSpoken({ words }: SpeechAlignment, kind: ContactKind): LipContact[] {
  const isContact = kind === 'lips' ? isBilabial : isLabiodental;
  return joined(
    words.flatMap(({ flag, phones }) =>
      flag !== null && flag !== 'followed_by_more'
        ? []
        : phones
            .filter(({ phone }) => isContact(phone))
            .map(({ phone, start, end }) =>
              contactBetween(start, start + (end - start) * (closedShare[phone] ?? 1)),
            ),
    ),
  );
}

/** Returns a contact of at least {@link minHold}, about the same middle. */
function contactBetween(start: number, end: number): LipContact {
  const lacking = Math.max(0, minHold - (end - start)) / 2;
  return { start: start - lacking, end: end + lacking };
}

/** Merges touching contacts, in order of time. */
export function joined(contacts: readonly LipContact[]): LipContact[] {
  const out: LipContact[] = [];
  for (const contact of contacts.toSorted((a, b) => a.start - b.start)) {
    const before = out.at(-1);
    if (before && contact.start <= before.end) {
      out[out.length - 1] = { start: before.start, end: Math.max(before.end, contact.end) };
    } else out.push(contact);
  }
  return out;
}

/** Closeness of the lips without contact: half confidence in an m closes them halfway. */
export const nearing = (sure: number, threshold: number): number =>
  maxNearing * Math.min(1, sure / threshold) ** 1.25;

/** The degree of contact over time, 0 (apart) .. 1. Times must increase. */
export class ContactCourse {
  readonly #contacts: readonly LipContact[];
  #at = 0;

  constructor(contacts: readonly LipContact[]) {
    this.#contacts = contacts;
  }

  /** @param time seconds */
  amount(time: number): number {
    const contacts = this.#contacts;
    while (this.#at < contacts.length && (contacts[this.#at] as LipContact).end + openingSeconds <= time) {
      this.#at++;
    }
    let max = 0;
    for (let k = this.#at; k < contacts.length; k++) {
      const { start, end } = contacts[k] as LipContact;
      if (start - closingSeconds >= time) break;
      const left = time < start ? 1 - (start - time) / closingSeconds : 1 - (time - end) / openingSeconds;
      const share = Math.min(1, Math.max(0, left));
      max = Math.max(max, share * share * (3 - 2 * share));
    }
    return max;
  }
}
