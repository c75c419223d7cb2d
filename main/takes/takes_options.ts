import type { TakeFace } from '@likeness/proto/take_stream.ts';
import type { Sound } from '@likeness/proto/wav.ts';
import type { EditState } from '#contract';
import type { RenderSound } from './edits/edited_sounds.ts';

export interface TakesOptions {
  /** Absolute; made where it is missing. */
  folder: string;
  /** Milliseconds since 1970. */
  clock: () => number;
  randomId: () => string;
  /** Makes the face of a take's sound, at so many frames a second. */
  speak: (sound: Sound, frameRate: number) => Promise<TakeFace>;
  warn: (text: string) => void;
  onEdited?: (state: EditState) => void;
  /** Makes the sound of an edited take; default: in this thread. */
  renderSound?: RenderSound;
  /** Ids of those that are new or other than before, and of those that are gone. */
  onChanged: (changes: { changed: readonly string[]; removed: readonly string[] }) => void;
  /** Told of a recording that has ended and is whole. */
  onRecorded?: (id: string) => void;
}
