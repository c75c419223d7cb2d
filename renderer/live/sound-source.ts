/**
 * Where the voice comes from: a microphone, or a file that plays. Opened on request, captured in a worklet,
 * closed when no longer needed. State changes go to React; blocks, a hundred a second, go directly to
 * listeners.
 */
import { createStore } from '../base/store.ts';
import { studio } from '../base/studio.ts';
import captureWorklet from './capture.worklet.ts?worker&url';
import type { CapturedBlock, CaptureSettings } from './sound-block.ts';

export type SoundFailure = 'denied' | 'none' | 'busy' | 'lost' | 'undecodable' | 'unsupported';

export type SoundState =
  | { kind: 'closed' }
  | { kind: 'opening'; from: 'microphone' | 'file' }
  | {
      kind: 'open';
      from: 'microphone' | 'file';
      deviceId: string;
      name: string;
      /** Name of the chosen microphone if it is missing; empty if this is the one. */
      insteadOf: string;
      /** Sample rate of the device or file, hertz; capture uses `captureRate`. */
      sampleRate: number;
      channels: number;
    }
  | { kind: 'failed'; failure: SoundFailure; reason: string };

/** Hertz of everything that is captured, whatever the device has: the browser resamples. */
export const captureRate = 48_000;

/** Longest delay of the monitor, seconds. */
const longestDelay = 3;

const state = createStore<SoundState>({ kind: 'closed' });
let running:
  | {
      context: AudioContext;
      capture: AudioWorkletNode;
      delay: DelayNode;
      monitor: GainNode;
      close: () => void;
    }
  | undefined;
/** Counts openings, so that a superseded one can be discarded. */
let attempt = 0;
let settings: CaptureSettings = { gain: 1, threshold: 0, open: true };
let monitoring = { level: 0, delay: 0 };
const listeners = new Set<(block: CapturedBlock) => void>();

export const useSound = (): SoundState => state.use();
export const soundNow = state.get;
export const onSoundChange = state.subscribe;

/** Returns the end of the subscription. */
export function onBlock(listener: (block: CapturedBlock) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setCapture(changes: Partial<CaptureSettings>): void {
  settings = { ...settings, ...changes };
  running?.capture.port.postMessage(settings);
}

/** Monitoring of the source: level 0..1, and a delay in seconds that matches the face. */
export function setMonitor(changes: Partial<typeof monitoring>): void {
  monitoring = { ...monitoring, ...changes };
  if (!running) return;
  const { context, delay, monitor } = running;
  monitor.gain.setTargetAtTime(monitoring.level, context.currentTime, 0.02);
  // Ramped slowly: a jump in the delay would be heard as a click.
  if (Math.abs(delay.delayTime.value - monitoring.delay) > 0.008)
    delay.delayTime.setTargetAtTime(
      Math.min(longestDelay, Math.max(0, monitoring.delay)),
      context.currentTime,
      0.15,
    );
}

/** Milliseconds before the worklet that the sound was at the microphone, as far as the browser says. */
export const inputLatency = (): number => {
  const base = (running?.context.baseLatency ?? 0.01) * 1000;
  return base + 20;
};

/** Milliseconds from a sound in the graph to the ear, as far as the browser says. */
export const outputLatency = (): number => {
  const { outputLatency = 0, baseLatency = 0 } = running?.context ?? {};
  return (outputLatency || baseLatency) * 1000;
};

const failures: Record<string, SoundFailure> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'busy',
  AbortError: 'busy',
  EncodingError: 'undecodable',
};

function release(): void {
  running?.close();
  running?.context.close().catch(() => undefined); // it is closed already: that is what was wanted
  running = undefined;
}

export function closeSound(): void {
  attempt += 1;
  release();
  state.set({ kind: 'closed' });
}

async function createCapture(): Promise<{
  context: AudioContext;
  capture: AudioWorkletNode;
  delay: DelayNode;
  monitor: GainNode;
}> {
  const context = new AudioContext({ latencyHint: 'interactive', sampleRate: captureRate });
  try {
    await context.audioWorklet.addModule(captureWorklet);
    const capture = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0 });
    capture.port.postMessage(settings);
    capture.port.onmessage = ({ data }: MessageEvent<CapturedBlock>) => {
      for (const listener of listeners) listener(data);
    };
    const delay = new DelayNode(context, {
      maxDelayTime: longestDelay,
      delayTime: Math.min(longestDelay, Math.max(0, monitoring.delay)),
    });
    const monitor = new GainNode(context, { gain: monitoring.level });
    delay.connect(monitor).connect(context.destination);
    // Systems suspend sound when a call comes in or a machine sleeps: it goes on by itself.
    context.onstatechange = () => {
      if (context.state !== 'running' && running?.context === context)
        context.resume().catch(() => undefined);
    };
    return { context, capture, delay, monitor };
  } catch (thrown) {
    await context.close();
    throw thrown;
  }
}

async function opening(
  from: 'microphone' | 'file',
  work: (isMine: () => boolean) => Promise<void>,
): Promise<void> {
  attempt += 1;
  const mine = attempt;
  release();
  state.set({ kind: 'opening', from });
  try {
    await work(() => mine === attempt);
  } catch (thrown) {
    if (mine !== attempt) return;
    release();
    const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
    state.set({ kind: 'failed', failure: failures[name] ?? 'unsupported', reason: message });
  }
}

/** The chosen microphone and the browser's processing of its sound. */
export interface Microphone {
  /** Empty: the system's default. */
  deviceId: string;
  /** Its name, by which it is found again where the browser has given it another id; may be empty. */
  deviceLabel: string;
  echoCancellation: boolean;
  noiseSuppression: boolean;
  autoGainControl: boolean;
}

const inputsNow = async (): Promise<MediaDeviceInfo[]> =>
  (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === 'audioinput');

/**
 * The microphone by its id, else one of the same name, else the system's default. Browsers reveal names only
 * once a microphone is open.
 */
async function openInput(wanted: Microphone): Promise<MediaStream> {
  const { deviceId, deviceLabel, echoCancellation, noiseSuppression, autoGainControl } = wanted;
  const ask = (id: string): Promise<MediaStream> =>
    navigator.mediaDevices.getUserMedia({
      audio: {
        ...(id ? { deviceId: { exact: id } } : {}),
        echoCancellation,
        noiseSuppression,
        autoGainControl,
      },
    });
  try {
    return await ask(deviceId);
  } catch (thrown) {
    const isGone =
      thrown instanceof DOMException && ['OverconstrainedError', 'NotFoundError'].includes(thrown.name);
    if (deviceId === '' || !isGone) throw thrown;
  }
  const standard = await ask('');
  const named = (await inputsNow()).find(
    ({ deviceId: id, label }) => id !== 'default' && deviceLabel !== '' && label === deviceLabel,
  );
  if (!named) return standard;
  for (const track of standard.getTracks()) track.stop();
  return ask(named.deviceId);
}

/** Opens the chosen microphone, or the next best. Errors become state and are shown. */
export const openMicrophone = (wanted: Microphone): Promise<void> =>
  opening('microphone', async (isMine) => {
    const { deviceId, deviceLabel } = wanted;
    if ((await studio.app.askForMicrophone()) === 'denied')
      throw new DOMException('The system does not permit it.', 'NotAllowedError');
    const stream = await openInput(wanted);
    const track = stream.getAudioTracks()[0]!;
    const close = (): void => {
      track.onended = null;
      for (const each of stream.getTracks()) each.stop();
    };
    try {
      const parts = await createCapture();
      if (!isMine()) {
        close();
        await parts.context.close();
        return;
      }
      running = { ...parts, close };
      const source = parts.context.createMediaStreamSource(stream);
      source.connect(parts.capture);
      source.connect(parts.delay);
      await parts.context.resume();
      track.onended = () => lose(track.label, wanted);
      const actual = track.getSettings();
      const isIt = deviceId === '' || actual.deviceId === deviceId || track.label === deviceLabel;
      state.set({
        kind: 'open',
        from: 'microphone',
        deviceId: actual.deviceId ?? deviceId,
        name: track.label,
        insteadOf: isIt ? '' : deviceLabel || deviceId,
        sampleRate: actual.sampleRate ?? captureRate,
        channels: actual.channelCount ?? 1,
      });
    } catch (thrown) {
      close();
      throw thrown;
    }
  });

/**
 * Milliseconds until a microphone that ended is looked for: after a change of its sample rate it is back by
 * then.
 */
const settling = 600;

/**
 * The microphone is gone; reopen one as soon as it is plugged in. One whose sample rate the system changed
 * ends as if unplugged but stays listed, so no `devicechange` event comes.
 */
function lose(label: string, wanted: Microphone): void {
  attempt += 1;
  const mine = attempt;
  release();
  state.set({ kind: 'failed', failure: 'lost', reason: label });
  const devices = navigator.mediaDevices;
  const checkDevices = async (): Promise<void> => {
    const { deviceId } = wanted;
    const inputs = await inputsNow();
    if (mine !== attempt) devices.removeEventListener('devicechange', onChange);
    else if (
      inputs.some((input) => deviceId === '' || input.deviceId === deviceId || input.label === label)
    ) {
      devices.removeEventListener('devicechange', onChange);
      await openMicrophone(wanted);
    }
  };
  const onChange = (): void => {
    checkDevices().catch(() => undefined); // the list can't be had now; the next change asks again
  };
  devices.addEventListener('devicechange', onChange);
  setTimeout(onChange, settling);
}

/** Plays a sound file as if it were spoken. `onEnded` is called when it is over. */
export const openFile = (file: File, onEnded: () => void): Promise<void> =>
  opening('file', async (isMine) => {
    const parts = await createCapture();
    try {
      const sound = await parts.context.decodeAudioData(await file.arrayBuffer());
      if (!isMine()) {
        await parts.context.close();
        return;
      }
      const source = new AudioBufferSourceNode(parts.context, { buffer: sound });
      running = { ...parts, close: () => source.stop() };
      source.connect(parts.capture);
      source.connect(parts.delay);
      source.onended = () => {
        if (isMine()) onEnded();
      };
      await parts.context.resume();
      source.start();
      state.set({
        kind: 'open',
        from: 'file',
        deviceId: '',
        name: file.name,
        insteadOf: '',
        sampleRate: sound.sampleRate,
        channels: sound.numberOfChannels,
      });
    } catch (thrown) {
      await parts.context.close();
      throw thrown;
    }
  });
