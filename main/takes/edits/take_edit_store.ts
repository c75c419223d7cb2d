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

/** Lists that are kept in memory; others are read again when they are asked for. */
const maxKept = 8;

export interface TakeEditStoreOptions {
  /** @throws Failure `not_found` */
  folderOf: (id: string) => string;
  record: (id: string) => TakeRecord;
  /** Milliseconds since 1970. */
  clock: () => number;
  onChanged: (state: EditState) => void;
  /** Makes the sound of a take that is cut; default: in this thread. */
  renderSound: RenderSound | undefined;
}

/** The edits of takes: an append-only list in the folder of each. */
export class TakeEditStore {
  readonly #options: TakeEditStoreOptions;
  readonly #lists = new Map<string, EditList>();
  readonly #sounds: EditedSounds;
  readonly #inTurn = createMutex();

  constructor(options: TakeEditStoreOptions) {
    this.#options = options;
    this.#sounds = new EditedSounds(options.renderSound);
  }

  /** A list that can't be read is told in `problem`. @throws Failure `not_found` */
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

  /** What holds now. @throws Failure `not_found`; `storage`, `unsupported` where it can't be read */
  edits(id: string): Promise<Edits> {
    return this.#inTurn(async () => {
      if ((await this.#bytes(id)) < 0) return noEdits;
      return (await this.#list(id)).history.edits;
    });
  }

  /**
   * Absolute path of the sound as the take plays; null where it has none that may be read.
   *
   * @throws Failure `not_found`, `storage`; `unsupported` where the edits were made by a newer version
   */
  async sound(id: string): Promise<string | null> {
    const { pieces } = await this.edits(id);
    return this.#sounds.path(this.#options.folderOf(id), timeMap(pieces, this.#options.record(id).seconds));
  }

  /**
   * @param after the revision that the person saw
   * @throws Failure `not_found`, `storage`, `invalid_input`; `conflict` where another window was quicker
   */
  step(id: string, after: number, step: EditStep): Promise<EditState> {
    return this.#inTurn(async () => {
      const list = await this.#list(id);
      if (list.history.revision !== after) {
        throw new Failure('conflict', t('edits.changed_elsewhere'), { hint: t('edits.open_again') });
      }
      this.#checkEnd(id, step);
      if (list.history.staysSame(step)) return this.#state(id, list);
      // What failed half-way is read again.
      this.#lists.delete(id);
      const made = await appendStep(this.#options.folderOf(id), list, step, this.#options.clock());
      this.#keep(id, made);
      const state = this.#state(id, made);
      this.#options.onChanged(state);
      return state;
    });
  }

  /** Nothing plays beyond the recording's end, but for what rounding adds. */
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

  /** The list in memory as long as nobody else wrote the file. */
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

  /** Bytes of the file; −1 where there is none. */
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
