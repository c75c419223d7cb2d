/**
 * Edits the take in the folder it is given until it is killed: markers whose number tells their order, an undo now and
 * then. Says what was done once it is done, and what is asked for before that.
 */
import { join } from 'node:path';
import { TakeEditStore } from '../../../../main/takes/edits/take_edit_store.ts';
import type { TakeRecord } from '../../../../main/takes/take_record.ts';

const folder = process.argv[2] ?? '';
const store = new TakeEditStore({
  folderOf: (id) => join(folder, id),
  record: () => ({ seconds: 10 }) as TakeRecord,
  clock: Date.now,
  renderSound: undefined,
  onChanged: () => {},
});
let state = await store.open('one');
for (;;) {
  const marker = { time: 1, note: 'x'.repeat(state.revision % 500) };
  const step =
    state.canUndo && state.revision % 5 === 0
      ? ({ do: 'undo' } as const)
      : ({
          do: 'apply',
          operations: [{ kind: 'marker', id: `m${state.revision}`, marker }],
        } as const);
  state = await store.step('one', state.revision, step);
  process.stdout.write(`${state.revision}\n`);
}
