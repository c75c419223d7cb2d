import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { recordedAttempt } from '@likeness/proto/takes/edits/apply_operation.ts';
import { faceRegions } from '@likeness/proto/takes/edits/edit_limits.ts';
import type { Handlers, TakeOverdub } from '#contract';
import { finishedTake } from '../finished_take.ts';
import type { TakeAnalysis } from '../take_analysis.ts';
import type { Takes } from '../takes.ts';
import { joinTakes } from './join_takes.ts';
import { splitTake } from './split_take.ts';
import { addOverdub, changeOverdub, listOverdubs, overdubFolder } from './take_overdubs.ts';
import { verifyTake } from './verify_take.ts';

/** Implements the room `takeEdits` of the contract. */
export function editsCalls(takes: Takes, analysis: TakeAnalysis): Handlers['takeEdits'] {
  const { edits } = takes;
  const attempts = (id: string): Promise<TakeOverdub[]> => listOverdubs(takes.folderOf(id));
  return {
    open: ({ id }) => edits.open(id),
    async apply({ id, after, operations }) {
      const taken = operations.flatMap((operation) => (operation.kind === 'take' ? [operation.attempt] : []));
      const known = taken.length > 0 ? (await attempts(id)).map((attempt) => attempt.id) : [];
      const missing = taken.find((attempt) => attempt !== recordedAttempt && !known.includes(attempt));
      if (missing !== undefined)
        throw new Failure('invalid_input', t('edits.no_overdub', { attempt: missing }), {
          field: 'operations',
        });
      return edits.step(id, after, { do: 'apply', operations });
    },
    undo: ({ id, after }) => edits.step(id, after, { do: 'undo' }),
    redo: ({ id, after }) => edits.step(id, after, { do: 'redo' }),
    nameVersion: ({ id, after, name }) => edits.step(id, after, { do: 'name', name }),
    openVersion: ({ id, after, revision }) => edits.step(id, after, { do: 'open', revision }),
    overdubs: ({ id }) => attempts(id),
    async addOverdub({ id, take, startsAt, regions }) {
      const to = takes.folderOf(id);
      if (id === take) throw new Failure('invalid_input', t('edits.try_of_itself'), { field: 'take' });
      await analysis.stop(take);
      await takes.moveOut(take, (from) => addOverdub(to, from, take, { of: id, startsAt, regions }));
      return attempts(id);
    },
    async changeOverdub({ id, attempt, changes }) {
      await changeOverdub(takes.folderOf(id), attempt, changes);
      return attempts(id);
    },
    async trashOverdub({ id, attempt }) {
      const { taken } = await edits.edits(id);
      if (faceRegions.some((region) => taken[region].some((stretch) => stretch.attempt === attempt)))
        throw new Failure('conflict', t('edits.try_in_use'), { hint: t('edits.take_from_elsewhere') });
      await takes.trashOverdub(attempt, await overdubFolder(takes.folderOf(id), attempt));
      return attempts(id);
    },
    verify: ({ id }) => verifyTake(takes.folderOf(id)),
    split: async ({ id, at }) => ({ takes: await splitTake(takes, id, at) }),
    join: ({ ids, name }) => joinTakes(takes, ids, name, (id) => finishedTake(takes, analysis, id)),
  };
}
