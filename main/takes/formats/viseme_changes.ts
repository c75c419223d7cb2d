import { oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import { phoneParts } from '@likeness/proto/speech/phones.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';

/** Start of a viseme. */
export interface VisemeChange {
  /** Seconds since the recording's first sample. */
  readonly seconds: number;
  /** Position in `oculusVisemeNames`; 0 is silence. */
  readonly viseme: number;
}

export interface VisemeTimeline {
  /** In order, each different from the one before; the first at 0. */
  readonly changes: readonly VisemeChange[];
  /** Seconds: the recording's length. */
  readonly end: number;
}

/** Maximum pause between words that does not close the mouth, seconds. */
const shortestPause = 0.08;

/** Returns the visemes of aligned words, with silence in the pauses. */
export function visemesOfAlignment(alignment: SpeechAlignment, seconds: number): VisemeTimeline {
  const phones = alignment.words.flatMap((word) => word.phones);
  const changes: VisemeChange[] = [];
  let at = 0;
  for (const { phone, start, end } of phones) {
    if (start - at > shortestPause || (at === 0 && start > 0)) changes.push({ seconds: at, viseme: 0 });
    let from = Math.max(at, start);
    for (const { viseme, share } of phoneParts(phone)) {
      changes.push({ seconds: from, viseme });
      from += share * (end - start);
    }
    at = Math.max(at, end);
  }
  if (at < seconds || changes.length === 0) changes.push({ seconds: at, viseme: 0 });
  return visemeTimeline(changes, Math.max(seconds, at));
}

/**
 * Converts a face's visemes per frame into changes.
 *
 * @param visemes strongest viseme of each frame, as positions in `oculusVisemeNames`
 */
export function visemesOfFrames(visemes: ArrayLike<number>, frameRate: number): VisemeTimeline {
  const changes = Array.from(visemes, (viseme, frame) => ({ seconds: frame / frameRate, viseme }));
  return visemeTimeline(changes, visemes.length / frameRate);
}

/**
 * At most one change per hundredth of a second, the resolution of viseme files, and none to the same viseme.
 */
export function visemeTimeline(all: readonly VisemeChange[], end: number): VisemeTimeline {
  const changes: VisemeChange[] = [];
  for (const { seconds, viseme } of [
    { seconds: 0, viseme: all[0]?.seconds === 0 ? all[0].viseme : 0 },
    ...all,
  ]) {
    const at = Math.round(seconds * 100) / 100;
    while (changes.length > 0 && changes.at(-1)!.seconds >= at) changes.pop();
    if (changes.at(-1)?.viseme !== viseme) changes.push({ seconds: at, viseme });
  }
  return { changes, end: Math.max(Math.round(end * 100) / 100, changes.at(-1)?.seconds ?? 0) };
}

/** Short names of the visemes: without `viseme_`. */
export const visemeName = (viseme: number): string =>
  (oculusVisemeNames[viseme] ?? 'viseme_sil').replace('viseme_', '');

/** `seconds<TAB>viseme` at each change, from 0.00; the last line is the end, with `sil`. */
export function visemeList({ changes, end }: VisemeTimeline): string {
  const lines = changes.map(({ seconds, viseme }) => `${seconds.toFixed(2)}\t${visemeName(viseme)}`);
  return `${[...lines, `${end.toFixed(2)}\tsil`].join('\n')}\n`;
}
