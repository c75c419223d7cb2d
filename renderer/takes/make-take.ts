/** A take from a sound file: decoded here, spoken by the connection as fast as it answers. */
import { FaceStreamDecoder } from '#proto/face_stream.ts';
import { decodeToPage, encodeOrder, encodeSound } from '#proto/live_message.ts';
import { StudioFailure, studio } from '../app/studio.ts';

/** Hertz of every take. */
const takeRate = 48_000;

export interface MakeTakeOptions {
  file: File;
  profileId: string;
  /** The head's id in the library; empty: the default head. */
  modelId: string;
  /** Told how far it is, 0..1. */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

/** @returns the new take's id */
export async function makeTake({
  file,
  profileId,
  modelId,
  onProgress,
  signal,
}: MakeTakeOptions): Promise<string> {
  const samples = await decode(file);
  const stream = await studio.live.open({
    profileId,
    sampleRate: takeRate,
    frameRate: 60,
    lookahead: 60,
    source: 'file',
  });
  const name = file.name.replace(/\.[^.]+$/, '').slice(0, 120) || file.name;
  return new Promise((resolve, reject) => {
    let recorded = '';
    let trouble = '';
    let isSent = false;
    let decoder = new FaceStreamDecoder();
    const seconds = samples.length / takeRate;
    signal.addEventListener('abort', () => stream.close(), { once: true });
    stream.onMessage((bytes) => {
      const message = decodeToPage(bytes);
      if (!message) return;
      if (message.kind === 'report') {
        recorded = message.report.recorded || recorded;
        trouble = message.report.trouble || trouble;
        // Nothing is sent before the take is there to hold it.
        if (message.report.recording !== '' && !isSent) {
          isSent = true;
          send();
        }
        return;
      }
      if (message.tier !== 'local') return;
      if (message.kind === 'header') decoder = new FaceStreamDecoder();
      const read = decoder.accept(message.message);
      if (read.kind === 'frame') onProgress(Math.min(1, read.timeCode / seconds));
    });
    stream.onClose((error) => {
      if (error) reject(new StudioFailure(error));
      else if (recorded) resolve(recorded);
      else
        reject(
          new StudioFailure({
            code: signal.aborted ? 'cancelled' : 'upstream_broken',
            message: trouble || file.name,
            hint: '',
            retryable: true,
          }),
        );
    });
    const send = (): void => {
      for (let firstSample = 0; firstSample < samples.length; firstSample += takeRate) {
        const part = samples.subarray(firstSample, firstSample + takeRate);
        stream.send(encodeSound({ capturedAt: Date.now(), firstSample, samples: part }));
      }
      stream.send(encodeOrder({ order: 'end' }));
    };
    stream.send(encodeOrder({ order: 'record', name, notes: '', model: modelId }));
  });
}

/** Mono, at the takes' rate. @throws StudioFailure where it can't be decoded */
async function decode(file: File): Promise<Float32Array> {
  let sound: AudioBuffer;
  try {
    sound = await new OfflineAudioContext(1, 1, takeRate).decodeAudioData(await file.arrayBuffer());
  } catch (thrown) {
    throw new StudioFailure({
      code: 'unsupported',
      message: `${file.name}: ${thrown instanceof Error ? thrown.message : thrown}`,
      hint: '',
      retryable: false,
    });
  }
  const mixed = new Float32Array(sound.length);
  for (let channel = 0; channel < sound.numberOfChannels; channel++) {
    const samples = sound.getChannelData(channel);
    for (let at = 0; at < mixed.length; at++) mixed[at]! += samples[at]! / sound.numberOfChannels;
  }
  return mixed;
}
