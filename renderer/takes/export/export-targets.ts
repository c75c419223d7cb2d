/** Programs and uses that takes are exported for, and the formats of each. */
import type { takeFormats } from '#contract/takes/take_constants.ts';

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

export const targetOf = (format: TakeFileFormat): ExportTarget['id'] =>
  exportTargets.find(({ formats }) => (formats as readonly TakeFileFormat[]).includes(format))?.id ?? 'data';
