/** The last export, offered as a preset; kept on this machine by the browser. */
import type { VideoOptions } from '#contract';
import { takeFormats } from '#contract/takes/take_constants.ts';
import { keepValue, keptValue } from '../../base/kept-value.ts';
import { createStore } from '../../base/store.ts';
import { filmChoice } from '../video/film-choice.ts';
import type { TakeFileFormat } from './export-targets.ts';

export interface ExportChoice {
  readonly formats: readonly TakeFileFormat[];
  /** Null: no film. */
  readonly film: VideoOptions | null;
}

const key = 'likeness.takes.export';

function readChoice(text: string): ExportChoice | null {
  const read = JSON.parse(text) as ExportChoice | null;
  if (!read || !Array.isArray(read.formats)) return null;
  const film = read.film;
  return {
    formats: takeFormats.filter((format) => read.formats.includes(format)),
    // A picture is known as long as the studio runs.
    film: film && { ...filmChoice.get(), ...film, picture: null },
  };
}

export const lastExport = createStore<ExportChoice | null>(keptValue(key, null, readChoice));

export function rememberExport(choice: ExportChoice): void {
  lastExport.set(choice);
  keepValue(key, JSON.stringify(choice));
}
