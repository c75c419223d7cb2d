/** Programs and uses that takes are exported for, and the formats of each. */
import { type ExportRate, exportRates } from '@likeness/proto/takes/frame_rates.ts';
import type { TakePreset } from '#contract';
import { takeFormats } from '#contract/takes/take_constants.ts';
import { createLastExport } from '../../ui/export/last-export.ts';
import { filmChoice } from '../video/film-choice.ts';

export type TakeFileFormat = (typeof takeFormats)[number];

export const exportTargets = [
  { id: 'film', group: 'picture', formats: [] },
  { id: 'unreal', group: 'programs', formats: ['livelink'] },
  { id: 'unity', group: 'programs', formats: ['fbx'] },
  { id: 'blender', group: 'programs', formats: ['glb'] },
  { id: 'vrm', group: 'programs', formats: ['vrma'] },
  { id: 'mouths', group: 'text', formats: ['rhubarb', 'blair', 'moho', 'visemes'] },
  { id: 'subtitles', group: 'text', formats: ['srt', 'vtt'] },
  { id: 'data', group: 'text', formats: ['csv', 'jsonl', 'a2f', 'textgrid'] },
] as const satisfies readonly {
  id: string;
  group: 'picture' | 'programs' | 'text';
  formats: readonly TakeFileFormat[];
}[];
export type ExportTarget = (typeof exportTargets)[number];

export const formatsOf = (id: ExportTarget['id']): readonly TakeFileFormat[] =>
  exportTargets.find((target) => target.id === id)?.formats ?? [];

export const targetOf = (format: TakeFileFormat): ExportTarget['id'] =>
  exportTargets.find(({ id }) => formatsOf(id).includes(format))?.id ?? 'data';

export const lastExport = createLastExport<Omit<TakePreset, 'name'>>(
  'likeness.takes.export',
  ({ formats, rate, fileName = '{name}', film = null }) =>
    Array.isArray(formats)
      ? {
          formats: takeFormats.filter((format) => formats.includes(format)),
          rate: exportRates.find((one: ExportRate) => one === rate) ?? 'own',
          fileName,
          film: film && { ...filmChoice.get(), ...film, picture: null },
        }
      : null,
);
