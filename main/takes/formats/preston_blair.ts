import { type FrameRate, hertz } from '@likeness/proto/takes/frame_rates.ts';
import { type VisemeTimeline, visemeName } from './viseme_changes.ts';

/**
 * Preston Blair's ten mouths for the fifteen visemes, as named in Papagayo, Moho and OpenToonz. `WQ` is a
 * tight round mouth as in w and qu, which shares its viseme with `U`, so it is never written.
 */
const mouths: Readonly<Record<string, string>> = {
  sil: 'rest',
  PP: 'MBP',
  FF: 'FV',
  TH: 'etc',
  DD: 'etc',
  kk: 'etc',
  CH: 'etc',
  SS: 'etc',
  nn: 'L',
  RR: 'etc',
  aa: 'AI',
  E: 'E',
  I: 'E',
  O: 'O',
  U: 'U',
};

interface Mouth {
  seconds: number;
  name: string;
}

function mouthsOf({ changes }: VisemeTimeline): Mouth[] {
  const all: Mouth[] = [];
  for (const { seconds, viseme } of changes) {
    const name = mouths[visemeName(viseme)]!;
    if (all.at(-1)?.name !== name) all.push({ seconds, name });
  }
  return all;
}

/** `seconds<TAB>mouth` at each change, from 0.00; the last line is the end, with `rest`. */
export function prestonBlairList(timeline: VisemeTimeline): string {
  const lines = mouthsOf(timeline).map(({ seconds, name }) => `${seconds.toFixed(2)}\t${name}`);
  return `${[...lines, `${timeline.end.toFixed(2)}\trest`].join('\n')}\n`;
}

/**
 * Writes Moho's switch data, which OpenToonz, Synfig and Blender's lip-sync add-ons also read: `MohoSwitch1`,
 * then `frame mouth` at each change, frames from 1, and a last line with the mouth at rest. The format has no
 * frame rate: the project that imports it must use the same. If several mouths begin within one frame, the
 * closed one (m, b, p) wins, otherwise the last.
 */
export function mohoSwitch(timeline: VisemeTimeline, rate: FrameRate): string {
  const frameOf = (seconds: number): number => Math.round(seconds * hertz(rate)) + 1;
  const lines: { frame: number; name: string }[] = [];
  for (const { seconds, name } of mouthsOf(timeline)) {
    const last = lines.at(-1);
    const frame = Math.max(frameOf(seconds), last?.frame ?? 1);
    if (last?.frame !== frame) lines.push({ frame, name });
    else if (last.name === 'MBP') lines.push({ frame: frame + 1, name });
    else last.name = name;
  }
  const changes = lines.filter(({ name }, at) => name !== lines[at - 1]?.name);
  const end = Math.max(frameOf(timeline.end), (changes.at(-1)?.frame ?? 0) + 1);
  const rows = changes.map(({ frame, name }) => `${frame} ${name}`);
  return `${['MohoSwitch1', ...rows, `${end} rest`].join('\n')}\n`;
}
