/**
 * The microphone: opened on request, measured in a worklet, closed when nobody needs it. State changes are for React;
 * levels, fifty a second, go straight to who draws them.
 */
import { useSyncExternalStore } from 'react';
import { studio } from '../app/studio.ts';
import levelWorklet from './level.worklet.ts?worker&url';

export type MicrophoneFailure = 'denied' | 'none' | 'busy' | 'lost' | 'unsupported';

export type MicrophoneState =
  | { kind: 'closed' }
  | { kind: 'opening' }
  | { kind: 'open'; deviceId: string /** hertz */; sampleRate: number; channels: number }
  | { kind: 'failed'; failure: MicrophoneFailure; reason: string };

/** One 20 ms block: root mean square and peak, 0..1 of full scale. */
export interface Level {
  rms: number;
  peak: number;
  clipped: boolean;
}

let state: MicrophoneState = { kind: 'closed' };
let running: { context: AudioContext; stream: MediaStream } | undefined;
/** Counts openings, so that one which was overtaken knows it. */
let attempt = 0;
const watchers = new Set<() => void>();
const listeners = new Set<(level: Level) => void>();

function become(next: MicrophoneState): void {
  state = next;
  for (const watcher of watchers) watcher();
}

export const useMicrophone = (): MicrophoneState =>
  useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => state,
  );

/** Returns the end of the subscription. */
export function onLevel(listener: (level: Level) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const failures: Record<string, MicrophoneFailure> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

function release(): void {
  for (const track of running?.stream.getTracks() ?? []) {
    track.onended = null;
    track.stop();
  }
  running?.context.close().catch(() => undefined); // it is closed already: that is what was wanted
  running = undefined;
}

export function closeMicrophone(): void {
  attempt += 1;
  release();
  become({ kind: 'closed' });
}

/** Opens the input with this id, or the system's default where it is empty. Failures become state, told on screen. */
export async function openMicrophone(deviceId: string): Promise<void> {
  attempt += 1;
  const mine = attempt;
  release();
  become({ kind: 'opening' });
  let stream: MediaStream | undefined;
  try {
    if ((await studio.app.askForMicrophone()) === 'denied')
      throw new DOMException('The system does not permit it.', 'NotAllowedError');
    // A measuring tool wants the sound as it is: no echo canceller, no gain that rides up and down.
    stream = await navigator.mediaDevices.getUserMedia({
      audio: {
        ...(deviceId ? { deviceId: { exact: deviceId } } : {}),
        echoCancellation: false,
        noiseSuppression: false,
        autoGainControl: false,
      },
    });
    if (mine !== attempt) throw new DOMException('Overtaken.', 'AbortError');
    const context = new AudioContext({ latencyHint: 'interactive' });
    running = { context, stream };
    await context.audioWorklet.addModule(levelWorklet);
    if (mine !== attempt) return;
    const level = new AudioWorkletNode(context, 'level', { numberOfOutputs: 0 });
    level.port.onmessage = ({ data }: MessageEvent<[number, number, number]>) => {
      const [rms, peak, clipped] = data;
      for (const listener of listeners) listener({ rms, peak, clipped: clipped === 1 });
    };
    context.createMediaStreamSource(stream).connect(level);
    await context.resume();
    const track = stream.getAudioTracks()[0]!;
    track.onended = () => {
      release();
      become({ kind: 'failed', failure: 'lost', reason: track.label });
    };
    const actual = track.getSettings();
    become({
      kind: 'open',
      deviceId: actual.deviceId ?? deviceId,
      sampleRate: context.sampleRate,
      channels: actual.channelCount ?? 1,
    });
  } catch (thrown) {
    for (const track of stream?.getTracks() ?? []) track.stop();
    if (mine !== attempt) return;
    release();
    const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
    become({ kind: 'failed', failure: failures[name] ?? 'unsupported', reason: message });
  }
}
