import type { LipGap } from '@likeness/gltf/formats/lips/lip_gap.ts';
import { leavesFace } from '@likeness/proto/takes/edits/apply_operation.ts';
import type { Handlers, Scorecard } from '#contract';
import { editedTake } from '../edited_take.ts';
import { finishedOf } from '../finished_take.ts';
import { unreadableSound } from '../sound/take_sound.ts';
import type { TakeAnalysis } from '../take_analysis.ts';
import type { Takes } from '../takes.ts';
import { arrivalFigures, arrivalsIn } from './arrival_figures.ts';
import { fileEnergy } from './file_energy.ts';
import { scoreFile } from './score_file.ts';
import { scorecardOf } from './scorecard.ts';

export interface ScoreCallsOptions {
  takes: Takes;
  analysis: TakeAnalysis;
  /** The bytes of a head; null: the default one. @throws Failure `not_found` */
  head: (modelId: string | null) => Promise<Buffer>;
}

export function scoreCalls(options: ScoreCallsOptions): Pick<Handlers['takes'], 'score' | 'exportScore'> {
  const score = (id: string, modelId: string | null): Promise<Scorecard> => scoreTake(id, modelId, options);
  return {
    score: ({ id, modelId }) => score(id, modelId),
    exportScore: async ({ id, modelId, format }) => scoreFile(await score(id, modelId), format),
  };
}

/** Loaded here, because the glTF library would delay the studio's start. */
const gapOf = async (head: Uint8Array): Promise<LipGap | null> =>
  (await import('@likeness/gltf/formats/lips/lip_gap.ts')).lipGapOf(head);

/** @throws Failure `not_found`, `storage` */
async function scoreTake(
  id: string,
  modelId: string | null,
  { takes, analysis, head }: ScoreCallsOptions,
): Promise<Scorecard> {
  const edited = await editedTake(takes, id);
  const [{ audio, ...finished }, lipGap] = await Promise.all([
    finishedOf(takes, analysis, edited),
    // If a head can't be read, only its figures are missing.
    head(modelId)
      .then(gapOf)
      .catch(() => null),
  ]);
  const { record, recorded, edits, map } = edited;
  // A file's audio is sent faster than real time, so its arrival times mean nothing.
  const isLive = record.source === 'microphone' && record.shownFace === 'live';
  const path = isLive ? await takes.file(id, 'face') : null;
  return scorecardOf({
    finished,
    energy: await fileEnergy(audio.path).catch((error: unknown) => {
      throw unreadableSound(error);
    }),
    recorded,
    map,
    isEdited: !leavesFace(edits) || edits.pieces.length > 0,
    arrivals: path === null ? null : await arrivalFigures(arrivalsIn(path)),
    lipGap,
    modelId: modelId ?? '',
  });
}
