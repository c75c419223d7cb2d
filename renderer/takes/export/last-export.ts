/** The last export, offered as a preset; kept on this machine by the browser. */
import type { VideoOptions } from '#contract';
import { takeFormats } from '#contract/takes/take_constants.ts';
import { createStore } from '../../base/store.ts';
import { filmChoice } from '../video/film-choice.ts';
import type { TakeFileFormat } from './export-targets.ts';

export interface ExportChoice {
  readonly formats: readonly TakeFileFormat[];
  /** Null: no film. */
  readonly film: VideoOptions | null;
}

const key = 'likeness.takes.export';

function kept(): ExportChoice | null {
  try {
    const read = JSON.parse(localStorage.getItem(key) ?? 'null') as ExportChoice | null;
    if (!read || !Array.isArray(read.formats)) return null;
    const film = read.film;
    return {
      formats: takeFormats.filter((format) => read.formats.includes(format)),
      // A picture is known as long as the studio runs.
      film: film && { ...filmChoice.get(), ...film, picture: null },
    };
  } catch {
    return null; // storage is off, or holds something else
  }
}

export const lastExport = createStore<ExportChoice | null>(kept());

export function rememberExport(choice: ExportChoice): void {
  lastExport.set(choice);
  try {
    localStorage.setItem(key, JSON.stringify(choice));
  } catch {
    // Storage failed; it lasts as long as the page.
  }
}
