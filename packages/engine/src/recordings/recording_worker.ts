/** A thread that analyses recordings, aligns words to them and makes their faces. */

import { answerOrders, type Handed } from '@likeness/node-kit/threads/thread_answers.ts';
import { encodeFrame } from '@likeness/proto/face_stream.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { type FullPassModel, loadFullPassModel } from '@likeness/speech/full_pass_model.ts';
import { visemeCount } from '@likeness/speech/speech_model.ts';
import { TakeFaceMaker } from '@likeness/speech/take/take_face.ts';
import type { TakeVoice } from '@likeness/speech/take/take_voice.ts';
import { hearRecording } from './hear_recording.ts';
import { readVoice, writeVoice } from './kept_voice.ts';
import {
  type AlignOrder,
  type CheckWordsOrder,
  type FaceBytes,
  type FaceOrder,
  type HeardShare,
  type HearOrder,
  type RecordingOrder,
  serializeRefusal,
  wordsIn,
} from './recording_orders.ts';

/** Minimum milliseconds between two progress reports. */
const reportIntervalMs = 50;

function work(order: RecordingOrder, report: (progress: number) => void): Promise<Handed> {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const onProgress = (share: number): void => {
    if (performance.now() - reportedAt < reportIntervalMs) return;
    reportedAt = performance.now();
    report(share);
  };
  if (order.kind === 'hear') return hear(order, onProgress);
  if (order.kind === 'forget') return forget();
  if (order.kind === 'words') return checkWords(order);
  return order.kind === 'align' ? align(order, onProgress) : face(order);
}

let model: Promise<FullPassModel> | undefined;

async function hear(
  { source, noise, into, weights }: HearOrder,
  onProgress: (share: number) => void,
): Promise<Handed> {
  model ??= weights === null ? loadFullPassModel() : loadFullPassModel(new URL(weights));
  const thresholds = await model;
  const voice = await hearRecording(thresholds, source, noise, onProgress);
  await writeVoice(into, { voice, thresholds });
  return { value: { seconds: voice.seconds, speech: speechOf(voice) } satisfies HeardShare };
}

function speechOf({ frames, posteriors }: TakeVoice): number {
  let speech = 0;
  for (let i = 0; i < frames; i++) if ((posteriors[i * visemeCount] as number) < 0.5) speech++;
  return frames === 0 ? 0 : speech / frames;
}

async function align(order: AlignOrder, onProgress: (share: number) => void): Promise<Handed> {
  // Loaded with the first script: the dictionaries are large.
  const [{ alignScript }, { voice }] = await Promise.all([
    import('./align_script.ts'),
    readVoice(order.voice),
  ]);
  return { value: await alignScript(voice, order, onProgress) };
}

/** The recording of the last face request: the next request wants another part of it, or other words. */
let atHand: { voice: string; maker: TakeFaceMaker } | undefined;
let words: { name: string; alignment: SpeechAlignment } | undefined;

async function checkWords({ words: { name, json } }: CheckWordsOrder): Promise<Handed> {
  if (words?.name === name) return { value: null };
  const { parseAlignment } = await import('./recording_answers.ts');
  words = { name, alignment: parseAlignment(Buffer.from(json).toString('utf8')) };
  return { value: null };
}

async function forget(): Promise<Handed> {
  atHand = undefined;
  words = undefined;
  return { value: null };
}

async function face({ voice, alignment, options }: FaceOrder): Promise<Handed> {
  if (atHand?.voice !== voice) {
    const kept = await readVoice(voice);
    atHand = { voice, maker: new TakeFaceMaker(kept.voice, kept.thresholds) };
  }
  if (alignment !== null && words?.name !== alignment.name) {
    words = { name: alignment.name, alignment: wordsIn(alignment) };
  }
  const messages: Uint8Array[] = [];
  for (const frames of atHand.maker.frames(alignment === null ? null : (words?.alignment ?? null), options)) {
    for (const frame of frames) messages.push(encodeFrame(frame));
  }
  const bytes = new Uint8Array(messages.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const message of messages) {
    bytes.set(message, at);
    at += message.length;
  }
  return { value: { bytes, frames: messages.length } satisfies FaceBytes, transfer: [bytes.buffer] };
}

answerOrders<RecordingOrder>(work, serializeRefusal);
