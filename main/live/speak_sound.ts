import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaceStreamFrame } from '@likeness/proto/face_stream_protocol.ts';
import type { TakeFace } from '@likeness/proto/take_stream.ts';
import { AudioStreamClient, type AudioStreamClientOptions } from './audio_stream_client.ts';

export interface SpeakSoundOptions
  extends Pick<AudioStreamClientOptions, 'service' | 'words' | 'wholeWord' | 'faceOptions'> {
  /** Maximum seconds of audio in a request. Default 10. */
  most?: number;
}

/** Makes the face of a whole recording, as fast as the server answers. @throws the server's error */
export async function speakSound(
  { sampleRate, samples }: { sampleRate: number; samples: Float32Array },
  options: SpeakSoundOptions,
): Promise<TakeFace> {
  const frames: FaceStreamFrame[] = [];
  let header: { channelNames: readonly string[]; frameRate: number } = { channelNames: [], frameRate: 60 };
  let failure: unknown;
  const voice = new AudioStreamClient({
    ...options,
    newTraceId: randomUUID,
    now: Date.now,
    wait: (milliseconds, signal) => pause(milliseconds, undefined, { signal }).catch(() => undefined),
    sampleRate,
    least: Math.min(1, options.most ?? 10),
    most: options.most ?? 10,
    maxWaiting: Number.POSITIVE_INFINITY,
    onHeader: (next) => {
      header = next;
    },
    onFrame: (frame, timeCode) => frames.push({ ...frame, timeCode }),
    onAnswer: () => {},
    onFailure: (error) => {
      failure = error;
      return false;
    },
  });
  voice.push(samples);
  await voice.end();
  if (failure) throw failure;
  return { tier: 'local', channelNames: header.channelNames, frameRate: header.frameRate, frames };
}
