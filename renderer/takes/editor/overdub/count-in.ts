/** Seconds that are counted before a try, where the take has too little before its in point to play up to it. */
import { type Beat, beatsOf } from './count-in-beats.ts';

export interface CountIn {
  /** Whether it was counted to its end. */
  readonly over: Promise<boolean>;
  giveUp(): void;
}

/** Counts. @param onBeat told at each beat how many seconds are left */
export function countIn(
  { seconds, lead, clicks }: { seconds: number; lead: number; clicks: boolean },
  onBeat: (left: number) => void,
): CountIn {
  const beats = beatsOf(seconds, lead);
  const sound = clicks && beats.length > 0 ? clicking(beats) : null;
  const timers = beats.map(({ at, left }) => setTimeout(() => onBeat(left), at * 1000));
  let end: (isWhole: boolean) => void = () => undefined;
  const over = new Promise<boolean>((resolve) => {
    end = (isWhole) => {
      for (const timer of timers) clearTimeout(timer);
      void sound?.close();
      resolve(isWhole);
    };
    timers.push(setTimeout(() => end(true), seconds * 1000));
  });
  return { over, giveUp: () => end(false) };
}

/** A click: hertz, seconds, and gain. */
const click = { pitch: 1000, length: 0.03, gain: 0.4 };
/** Seconds until the sound's output runs. */
const ahead = 0.02;

function clicking(beats: readonly Beat[]): AudioContext {
  const context = new AudioContext({ latencyHint: 'interactive' });
  const begin = context.currentTime + ahead;
  for (const { at } of beats) {
    const tone = context.createOscillator();
    const loudness = context.createGain();
    tone.frequency.value = click.pitch;
    loudness.gain.setValueAtTime(click.gain, begin + at);
    loudness.gain.exponentialRampToValueAtTime(0.001, begin + at + click.length);
    tone.connect(loudness).connect(context.destination);
    tone.start(begin + at);
    tone.stop(begin + at + click.length);
  }
  return context;
}
