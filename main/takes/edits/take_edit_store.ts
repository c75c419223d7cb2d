import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { joinMessages, t } from '@likeness/messages';
import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import { EditHistory, type EditStep } from '@likeness/proto/takes/edits/edit_history.ts';
import type { TakeEdits as Edits } from '@likeness/proto/takes/edits/take_edits.ts';
import { timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import type { EditState } from '#contract';
import { type TakeRecord, takeFiles } from '../take_record.ts';
import { appendStep, type EditList, readEditList } from './edit_list.ts';
import { EditedSounds, type RenderSound } from './edited_sounds.ts';

/** Number of lists kept in memory; others are read again on demand. */
const maxKept = 8;

export interface TakeEditStoreOptions {
  /** @throws Failure `not_found` */
  folderOf: (id: string) => string;
  record: (id: string) => TakeRecord;
  /** Milliseconds since 1970. */
  clock: () => number;
  onChanged: (state: EditState) => void;
  /** Renders the audio of a take with cuts; default: in this thread. */
  renderSound: RenderSound | undefined;
}

/** The edits of takes: an append-only list in each take's folder. */
export class TakeEditStore {
  readonly #options: TakeEditStoreOptions;
  readonly #lists = new Map<string, EditList>();
  readonly #sounds: EditedSounds;
  readonly #inTurn = createMutex();

  constructor(options: TakeEditStoreOptions) {
    this.#options = options;
    this.#sounds = new EditedSounds(options.renderSound);
  }

  /** Opens the edits; `problem` reports a list that can't be read. @throws Failure `not_found` */
  open(id: string): Promise<EditState> {
    return this.#inTurn(async () => {
      try {
        return this.#state(id, await this.#list(id));
      } catch (error) {
        if (!(error instanceof Failure) || error.code === 'not_found') throw error;
        const nothing = { history: new EditHistory(), wholeBytes: 0, bytes: -1 };
        return { ...this.#state(id, nothing), problem: joinMessages(error.userMessage, error.advice) };
      }
    });
  }

  /**
   * Returns the current edits. @throws Failure `not_found`; `storage`, `unsupported` if they can't be read
   */
  edits(id: string): Promise<Edits> {
    return this.#inTurn(async () => {
      if ((await this.#bytes(id)) < 0) return noEdits;
      return (await this.#list(id)).history.edits;
    });
  }

  /**
   * Absolute path of the edited audio; null if the take has no readable audio.
   *
   * @throws Failure `not_found`, `storage`; `unsupported` if a newer version made the edits
   */
  async sound(id: string): Promise<string | null> {
    const { pieces } = await this.edits(id);
    return this.#sounds.path(this.#options.folderOf(id), timeMap(pieces, this.#options.record(id).seconds));
  }

  /**
   * @param after the revision that the user saw
   * @throws Failure `not_found`, `storage`, `invalid_input`; `conflict` if another window changed it first
   */
  step(id: string, after: number, step: EditStep): Promise<EditState> {
    return this.#inTurn(async () => {
      const list = await this.#list(id);
      if (list.history.revision !== after) {
        throw new Failure('conflict', t('edits.changed_elsewhere'), { hint: t('edits.open_again') });
      }
      this.#checkEnd(id, step);
      // After a failed write, the list is read again.
      this.#lists.delete(id);
      const made = await appendStep(this.#options.folderOf(id), list, step, this.#options.clock());
      this.#keep(id, made);
      const state = this.#state(id, made);
      if (made !== list) this.#options.onChanged(state);
      return state;
    });
  }

  /** Nothing may play beyond the recording's end, except for rounding. */
  #checkEnd(id: string, step: EditStep): void {
    if (step.do !== 'apply') return;
    const { seconds } = this.#options.record(id);
    const isBeyond = step.operations.some(
      (operation) => operation.kind === 'pieces' && operation.pieces.some(({ to }) => to > seconds + 0.01),
    );
    if (isBeyond) {
      const message = t('edits.beyond_end', { seconds: seconds.toFixed(2) });
      throw new Failure('invalid_input', message, { field: 'operations' });
    }
  }

  /** The list in memory, as long as no other process changed the file. */
  async #list(id: string): Promise<EditList> {
    const known = this.#lists.get(id);
    const list =
      known?.bytes === (await this.#bytes(id)) ? known : await readEditList(this.#options.folderOf(id));
    this.#keep(id, list);
    return list;
  }

  #keep(id: string, list: EditList): void {
    this.#lists.delete(id);
    this.#lists.set(id, list);
    const oldest = this.#lists.keys().next().value;
    if (this.#lists.size > maxKept && oldest !== undefined) this.#lists.delete(oldest);
  }

  /** Bytes of the file; −1 if there is none. */
  async #bytes(id: string): Promise<number> {
    const path = join(this.#options.folderOf(id), takeFiles.edits);
    return stat(path).then(
      ({ size }) => size,
      () => -1,
    );
  }

  #state(id: string, { history }: EditList): EditState {
    const { revision, edits, canUndo, canRedo, versions } = history;
    const { seconds } = timeMap(edits.pieces, this.#options.record(id).seconds);
    return { id, edits, revision, canUndo, canRedo, versions: [...versions], seconds, problem: '' };
  }
}
