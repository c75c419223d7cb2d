import { type VisemeTimeline, visemeName } from './viseme_changes.ts';

/**
 * Rhubarb Lip Sync's nine mouths for the fifteen visemes, by its own description: A closed for p, b, m; B
 * slightly open with the teeth together for most consonants and `ee`; C open for `eh`; D wide open for `ah`;
 * E slightly rounded for `o` and `er`; F puckered for `oo` and `w`; G teeth on the lip for f, v; H the tongue
 * raised for a long l; X at rest. L shares its viseme with n, so H is never written.
 */
const shapes: Readonly<Record<string, string>> = {
  sil: 'X',
  PP: 'A',
  FF: 'G',
  TH: 'B',
  DD: 'B',
  kk: 'B',
  CH: 'B',
  SS: 'B',
  nn: 'B',
  RR: 'E',
  aa: 'D',
  E: 'C',
  I: 'B',
  O: 'E',
  U: 'F',
};

interface MouthCue {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

function mouthCues({ changes, end }: VisemeTimeline): MouthCue[] {
  const cues: MouthCue[] = [];
  for (const [at, { seconds, viseme }] of changes.entries()) {
    const value = shapes[visemeName(viseme)]!;
    const until = changes[at + 1]?.seconds ?? end;
    const last = cues.at(-1);
    if (last?.value === value) cues[cues.length - 1] = { ...last, end: until };
    else if (until > seconds) cues.push({ start: seconds, end: until, value });
  }
  return cues;
}

/** Rhubarb's TSV: when each mouth begins, and the end with the mouth at rest. */
export function rhubarbTsv(timeline: VisemeTimeline): string {
  const lines = mouthCues(timeline).map(({ start, value }) => `${start.toFixed(2)}\t${value}`);
  return `${[...lines, `${timeline.end.toFixed(2)}\tX`].join('\n')}\n`;
}

/** Rhubarb's JSON. @param soundFile the recording's name or path */
export function rhubarbJson(timeline: VisemeTimeline, soundFile: string): string {
  const file = { metadata: { soundFile, duration: timeline.end }, mouthCues: mouthCues(timeline) };
  return `${JSON.stringify(file, null, 2)}\n`;
}
