/** The last export and the person's own presets; kept on this machine by the browser. */
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

/** An export under a name of the person's own. */
export interface OwnPreset extends ExportChoice {
  readonly name: string;
}

const lastKey = 'likeness.takes.export';
const ownKey = 'likeness.takes.exportPresets';

function readChoice(read: Partial<ExportChoice> | null): ExportChoice | null {
  const { formats, film = null } = read ?? {};
  if (!Array.isArray(formats)) return null;
  return {
    formats: takeFormats.filter((format) => formats.includes(format)),
    // A picture is known as long as the studio runs.
    film: film && { ...filmChoice.get(), ...film, picture: null },
  };
}

const readOwn = (text: string): OwnPreset[] =>
  (JSON.parse(text) as Partial<OwnPreset>[]).flatMap((read) => {
    const choice = readChoice(read);
    return choice && read.name ? [{ ...choice, name: read.name }] : [];
  });

export const lastExport = createStore(
  keptValue(lastKey, null, (text) => readChoice(JSON.parse(text) as ExportChoice | null)),
);

export function rememberExport(choice: ExportChoice): void {
  lastExport.set(choice);
  keepValue(lastKey, JSON.stringify(choice));
}

export const ownPresets = createStore<readonly OwnPreset[]>(keptValue(ownKey, [], readOwn));

function setPresets(presets: readonly OwnPreset[]): void {
  ownPresets.set(presets);
  keepValue(ownKey, JSON.stringify(presets));
}

/** Keeps a preset; one of the same name is replaced. */
export const savePreset = (preset: OwnPreset): void =>
  setPresets([...ownPresets.get().filter(({ name }) => name !== preset.name), preset]);

export const removePreset = (name: string): void =>
  setPresets(ownPresets.get().filter((preset) => preset.name !== name));
