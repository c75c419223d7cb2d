/** Makes a take from a sound file: decoded here, animated by the connection as fast as it answers. */

import type { Message } from '@likeness/messages';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import { decodeToPage, encodeOrder, encodeSound } from '@likeness/proto/live/live_message.ts';
import i18next from 'i18next';
import type { Script, StudioError, StudioStream } from '#contract';
import { StudioFailure, studio } from '../base/studio.ts';
import { decodeSound } from './decode-sound.ts';

/** Hertz of every take. */
const takeRate = 48_000;
/** Seconds of sound that are sent before their faces are there: an hour must not wait in main all at once. */
const ahead = 30;

export interface MakeTakeOptions {
  file: File;
  profileId: string;
  /** The head's id in the library; empty: the default head. */
  modelId: string;
  /** Its transcript; null: none. */
  script: Script | null;
  /** Told how far it is, 0..1. */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

/**
 * @returns the new take's id.
 * @throws StudioFailure, `cancelled` where the signal was given: nothing is kept then
 */
export async function makeTake(options: MakeTakeOptions): Promise<string> {
  const { file, profileId, modelId, script, onProgress, signal } = options;
  const samples = await decodeSound(file, takeRate);
  if (signal.aborted) throw cancelled();
  const stream = await studio.live.open({
    profileId,
    sampleRate: takeRate,
    frameRate: 60,
    lookahead: 60,
    source: 'file',
  });
  const name = file.name.replace(/\.[^.]+$/, '').slice(0, 120) || file.name;
  const send = pacedSending(stream, samples);
  return new Promise((resolve, reject) => {
    let recording = '';
    let recorded = '';
    let trouble: Message = '';
    let decoder = new FaceStreamDecoder();
    const cancel = (): void => {
      if (recording) trashWhenListed(recording);
      stream.close();
    };
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    stream.onMessage((bytes) => {
      const message = decodeToPage(bytes);
      if (!message) return;
      if (message.kind === 'report') {
        recorded = message.report.recorded || recorded;
        trouble = message.report.trouble || trouble;
        // Nothing is sent before the recording has started.
        if (message.report.recording !== '' && recording === '') {
          recording = message.report.recording;
          send(0);
        }
        return;
      }
      if (message.tier !== 'local') return;
      if (message.kind === 'header') decoder = new FaceStreamDecoder();
      const read = decoder.accept(message.message);
      if (read.kind !== 'frame') return;
      onProgress(Math.min(1, (read.timeCode * takeRate) / samples.length));
      send(read.timeCode);
    });
    stream.onClose((error) => {
      signal.removeEventListener('abort', cancel);
      if (signal.aborted) reject(cancelled());
      else if (error) reject(new StudioFailure(error));
      else if (recorded) resolve(recorded);
      else
        reject(new StudioFailure(unfinished(trouble || i18next.t('takes:unfinished', { name: file.name }))));
    });
    const scriptField = script?.text.trim() ? { script } : {};
    stream.send(encodeOrder({ order: 'record', name, notes: '', model: modelId, ...scriptField }));
  });
}

/** Sends what may be sent when faces have come up to so many seconds; at the end, that it is over. */
function pacedSending(stream: StudioStream, samples: Float32Array): (reached: number) => void {
  let sent = 0;
  let isOver = false;
  return (reached) => {
    for (; sent < samples.length && sent < (reached + ahead) * takeRate; sent += takeRate) {
      const part = samples.subarray(sent, sent + takeRate);
      stream.send(encodeSound({ capturedAt: Date.now(), firstSample: sent, samples: part }));
    }
    if (sent < samples.length || isOver) return;
    isOver = true;
    stream.send(encodeOrder({ order: 'end' }));
  };
}

/** A cancelled take goes to the trash as soon as main has closed it. */
function trashWhenListed(id: string): void {
  const end = studio.takes.onChanged(({ takes }) => {
    if (!takes.some((take) => take.id === id)) return;
    end();
    studio.takes.trash({ id }).catch(() => undefined); // somebody was quicker
  });
}

const cancelled = (): StudioFailure =>
  new StudioFailure({ code: 'cancelled', message: '', hint: '', retryable: true });
const unfinished = (message: Message): StudioError => ({
  code: 'upstream_broken',
  message,
  hint: '',
  retryable: true,
});
