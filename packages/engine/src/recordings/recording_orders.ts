/** The orders for the engine's recording threads: each thread works on one order at a time. */

import { createHash } from 'node:crypto';
import type { Both } from '@likeness/messages';
import type { NoiseTreatment } from '@likeness/proto/speech/noise_treatment.ts';
import type { SpokenLanguage } from '@likeness/proto/speech/phones.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import type { TakeFaceOptions } from '@likeness/speech/take/take_face.ts';
import { Refusal } from '../http/refusal.ts';
import type { SoundSource } from './sound_source.ts';

export interface HearOrder {
  readonly kind: 'hear';
  readonly source: SoundSource;
  readonly noise: NoiseTreatment;
  /** Path for the analysis. */
  readonly into: string;
  /** The full pass's weights; null: beside their module. */
  readonly weights: string | null;
}

export interface AlignOrder {
  readonly kind: 'align';
  /** Path of the analysis. */
  readonly voice: string;
  readonly script: string;
  readonly language: SpokenLanguage | 'auto';
  readonly pronunciations: Readonly<Record<string, string>>;
  readonly pinned: readonly { readonly index: number; readonly start: number; readonly end: number }[];
}

/** A SpeechAlignment for every part of a face: threads share its bytes without copying. */
export interface SharedWords {
  /** The same for the same words, so that a thread reads them only once. */
  readonly name: string;
  /** JSON in UTF-8. */
  readonly json: SharedArrayBuffer;
}

/** @param bytes JSON of a SpeechAlignment, as a caller sent it: `CheckWordsOrder` checks it. */
export function sharedWords(bytes: Uint8Array): SharedWords {
  const json = new SharedArrayBuffer(bytes.length);
  new Uint8Array(json).set(bytes);
  return { name: createHash('sha256').update(bytes).digest('hex'), json };
}

export const wordsIn = ({ json }: SharedWords): SpeechAlignment =>
  JSON.parse(Buffer.from(json).toString('utf8')) as SpeechAlignment;

export interface FaceOrder {
  readonly kind: 'face';
  readonly voice: string;
  /** Null: from the audio alone. */
  readonly alignment: SharedWords | null;
  readonly options: TakeFaceOptions;
}

/**
 * Parses the words of a request and checks them. In a thread: those of three hours take more than a second, in
 * which no other request would be answered.
 */
export interface CheckWordsOrder {
  readonly kind: 'words';
  readonly words: SharedWords;
}

/** Clears all analyses from memory. */
export interface ForgetOrder {
  readonly kind: 'forget';
}

export type RecordingOrder = HearOrder | AlignOrder | FaceOrder | CheckWordsOrder | ForgetOrder;

export interface HeardShare {
  readonly seconds: number;
  /** Share of the frames that are speech. */
  readonly speech: number;
}

/** Frames, delimited `StreamMessage`s one after the other. */
export interface FaceBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly frames: number;
}

/** An error in a thread, serialized; refusals keep their fields. */
export interface SerializedRefusal {
  readonly message: string;
  readonly refusal: { status: number; reason: string; text: Both; field: string | undefined } | null;
}

export function serializeRefusal(error: unknown): SerializedRefusal {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (!(error instanceof Refusal)) return { message, refusal: null };
  const { status, reason, text, field } = error;
  return { message, refusal: { status, reason, text, field } };
}

export function deserializeRefusal({ message, refusal }: SerializedRefusal): Error {
  if (!refusal) return new Error(message);
  const { status, reason, text, field } = refusal;
  return new Refusal(status, reason, text, field === undefined ? {} : { field });
}
