/**
 * The monitor, in the real graph: what is heard of a voice and the face that is shown meanwhile are of the
 * same moment.
 */

import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import { encodeFace } from '@likeness/proto/live/live_message.ts';
import { decodeToStudio } from '@likeness/proto/live/live_message_to_studio.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import { afterEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { RawBridge } from '../../../renderer/base/studio.ts';
import { faceNow, startSession, stopSession } from '../../../renderer/live/live-session.ts';
import { closeSound, openFile, setMonitor } from '../../../renderer/live/sound-source.ts';
import { fakeStudio } from '../../fixtures/studio/studio.ts';

const sampleRate = 48_000;
const frameRate = 60;
/** Seconds until the monitor has found the face's delay, and of the whole voice. */
const settled = 1.2;
const length = 6.5;
/** Seconds at which the voice sets in, at unequal distances, so that no delay is taken for another. */
const onsets = Array.from({ length: 9 }, (_, index) => 0.4 + index * 0.66 + (index % 3) * 0.09);
const burst = 0.25;
/** Milliseconds after its sound that a face comes. */
const answerMs = 240;

/** A WAV file, 16 bit, mono: a tone that is there for a quarter of a second at each onset. */
function voice(): File {
  const count = length * sampleRate;
  const samples = Float32Array.from({ length: count }, (_, at) => {
    const time = at / sampleRate;
    const isLoud = onsets.some((onset) => time >= onset && time < onset + burst);
    return isLoud ? 0.37 * Math.sin(time * 2 * Math.PI * 440) : 0;
  });
  return new File([encodeWav({ sampleRate, samples }, 's16le')], 'voice.wav', { type: 'audio/wav' });
}

/** A studio whose mouth is open while it is loud, and which answers late. */
function openMouthed(): RawBridge {
  const { bridge } = fakeStudio();
  const open = async (): Promise<string> => {
    const id = crypto.randomUUID();
    const { port1, port2 } = new MessageChannel();
    let samples = 0;
    let index = 0;
    let level = 0;
    const send = (bytes: Uint8Array): void => port1.postMessage(bytes);
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = data instanceof Uint8Array ? decodeToStudio(data) : null;
      if (message?.kind !== 'sound') return;
      const frames: Uint8Array[] = [];
      const askedAt = Date.now();
      for (const sample of message.samples) {
        level = Math.max(level, Math.abs(sample));
        samples += 1;
        if (samples < ((index + 1) * sampleRate) / frameRate) continue;
        const face = { headPose: undefined, eyeGaze: undefined, vertices: undefined };
        const weights = Float32Array.of(level > 0.1 ? 1 : 0);
        frames.push(
          encodeBareMessage({ kind: 'frame', index, timeCode: index / frameRate, weights, ...face }),
        );
        index += 1;
        level = 0;
      }
      setTimeout(() => {
        for (const frame of frames)
          send(encodeFace({ kind: 'frame', tier: 'local', askedAt, answeredAt: Date.now(), message: frame }));
      }, answerMs);
    };
    window.postMessage({ type: 'likeness:stream', id }, '*', [port2]);
    port1.postMessage(JSON.stringify({ open: true }));
    const header = {
      kind: 'header',
      traceId: 't',
      frameRate,
      channelNames: ['jawOpen'],
      mesh: undefined,
    } as const;
    const times = { askedAt: 0, answeredAt: 0 };
    send(encodeFace({ kind: 'header', tier: 'local', ...times, message: encodeBareMessage(header) }));
    return id;
  };
  return { ...bridge, live: { ...bridge.live, open } };
}

/** Says at what time of the graph sound sets in after 50 ms of silence, seconds. */
const probeSource = /* js */ `
registerProcessor('onset-probe', class extends AudioWorkletProcessor {
  quiet = 0;
  process([[samples = new Float32Array(128)]]) {
    for (let i = 0; i < samples.length; i++) {
      if (Math.abs(samples[i]) < 0.02) this.quiet += 1;
      else {
        if (this.quiet > 0.05 * sampleRate) this.port.postMessage(currentTime + i / sampleRate);
        this.quiet = 0;
      }
    }
    return true;
  }
});`;

/**
 * When each sound sets in where it leaves the graph, by the page's clock, milliseconds; filled while it
 * plays.
 */
function listenAtTheWayOut(): { heard: number[]; end: () => void } {
  const heard: number[] = [];
  const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode) => AudioNode;
  const listening = function (this: AudioNode, to: AudioNode): AudioNode {
    if (to instanceof AudioDestinationNode) {
      const context = this.context as AudioContext;
      const source = URL.createObjectURL(new Blob([probeSource], { type: 'text/javascript' }));
      void context.audioWorklet.addModule(source).then(() => {
        const probe = new AudioWorkletNode(context, 'onset-probe', { numberOfOutputs: 0 });
        probe.port.onmessage = ({ data }: MessageEvent<number>) => {
          const { contextTime = 0, performanceTime = 0 } = context.getOutputTimestamp();
          heard.push(performanceTime + (data - contextTime) * 1000);
        };
        connect.call(this, probe);
      });
    }
    return connect.call(this, to);
  };
  Object.assign(AudioNode.prototype, { connect: listening });
  return {
    heard,
    end: () => {
      Object.assign(AudioNode.prototype, { connect });
    },
  };
}

/**
 * When the mouth opens on the display, by the page's clock, milliseconds: the refresh after the one it is
 * drawn for.
 */
function watchTheMouth(): { seen: number[]; end: () => void } {
  const seen: number[] = [];
  let request = 0;
  let wasOpen = false;
  const look = (): void => {
    request = requestAnimationFrame(look);
    const isOpen = (faceNow()?.weights[0] ?? 0) >= 0.5;
    if (isOpen && !wasOpen) seen.push(performance.now() + 1000 / 60);
    wasOpen = isOpen;
  };
  look();
  return { seen, end: () => cancelAnimationFrame(request) };
}

afterEach(() => {
  stopSession();
  closeSound();
  setMonitor({ level: 0, delay: 0 });
});

test('a voice is heard when its face is seen, where the face comes a quarter of a second late', {
  timeout: 60_000,
}, async () => {
  Object.assign(window, { studio: openMouthed() });
  // Sound wants somebody to have touched the page.
  await userEvent.click(document.body);
  const ear = listenAtTheWayOut();
  const eye = watchTheMouth();
  const over = Promise.withResolvers<void>();
  setMonitor({ level: 1, delay: 0 });
  await startSession({ profileId: 'built-in', frameRate: 60, lookahead: 20, suppressNoise: false });
  const from = performance.now();
  await openFile(voice(), over.resolve);
  await over.promise;
  // The last mouth is on its way still.
  await expect
    .poll(() => eye.seen.at(-1)!, { timeout: 10_000 })
    .toBeGreaterThan(ear.heard.at(-1)! - answerMs / 2);
  ear.end();
  eye.end();

  const after = (times: readonly number[]): number[] => times.filter((at) => at > from + settled * 1000);
  const [heard, seen] = [after(ear.heard), after(eye.seen)];
  const apart = heard.map(
    (at) => seen.map((other) => other - at).toSorted((a, b) => Math.abs(a) - Math.abs(b))[0]!,
  );
  expect(apart.length).toBeGreaterThan(5);
  // Without the delay they are as far apart as the studio answers late. Quiet machines show 5 to 17 ms; ITU-R
  // BT.1359 bears 45 and 125.
  expect(Math.abs(percentile(apart, 0.5))).toBeLessThan(answerMs / 2);
});
