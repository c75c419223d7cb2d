import type { TakeFace } from '@likeness/proto/take_stream.ts';
import type { Sound } from '@likeness/proto/wav.ts';
import type { EditState } from '#contract';
import type { RenderSound } from './edits/edited_sounds.ts';

export interface TakesOptions {
  /** Absolute; created if it is missing. */
  folder: string;
  /** Milliseconds since 1970. */
  clock: () => number;
  randomId: () => string;
  /** Makes the face of a take's audio, at a frame rate. */
  speak: (sound: Sound, frameRate: number) => Promise<TakeFace>;
  warn: (text: string) => void;
  onEdited?: (state: EditState) => void;
  /** Renders the audio of an edited take; default: in this thread. */
  renderSound?: RenderSound;
  /** Ids of new or changed takes, and of removed ones. */
  onChanged: (changes: { changed: readonly string[]; removed: readonly string[] }) => void;
  /** Called for a recording that has ended completely. */
  onRecorded?: (id: string) => void;
}
