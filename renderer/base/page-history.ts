/** The undo history of a page: one key undoes the last action, whatever it was, and a card names it. */
import i18next from 'i18next';
import { attempt, offerUndo, showHistoryCard, type UndoScope, withdrawUndo } from './notices.tsx';
import { createStore } from './store.ts';
import { asFailure } from './studio.ts';

/** An action without its label. */
export interface Reversible {
  undo(): Promise<unknown>;
  redo(): Promise<unknown>;
}

export interface DoneAction extends Reversible {
  /** In the user's language: `renamed 3 heads`. */
  readonly label: string;
}

interface Recorded extends DoneAction {
  /** Number of main's last step when it was done. */
  readonly stepInMain: Promise<number>;
  /** Id of what it concerns, for `forgetAll`. */
  readonly of?: string | undefined;
}

interface Undone {
  /** Null: main keeps it. */
  readonly action: Recorded | null;
  /** Number of main's last step when it was undone: a newer step ends what can be redone. */
  readonly lastInMain: Promise<number>;
}

/** Steps that main keeps. They are numbered, so that those of the page find their turn among them. */
export interface StepsInMain {
  /** Number of the last step; 0: there was none. Needed if the page records actions too. */
  lastStep?(): Promise<number>;
  /** Undoes the last step if its number is higher. Returns its label; null: there is none. */
  undo(after: number): Promise<string | null>;
  /** Redoes the step that was undone last. Returns its label; null: there is none. */
  redo(): Promise<{ label: string; isRefused?: boolean } | null>;
}

/** Actions that can be undone. */
const maxKept = 200;

interface Undoable {
  done: readonly Recorded[];
  undone: readonly Undone[];
  /** Nothing new was done since the page was loaded, so that what was undone before can come back. */
  isFresh: boolean;
}

export class PageHistory {
  readonly state = createStore<Undoable>({ done: [], undone: [], isFresh: true });
  readonly #scope: UndoScope;
  readonly #main: StepsInMain | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(scope: UndoScope, main?: StepsInMain) {
    this.#scope = scope;
    this.#main = main;
  }

  /**
   * @param of - Id of what it concerns, for `forgetAll`.
   * @returns forgets the action: it was refused, or was undone by other means
   */
  record(action: DoneAction, of?: string): () => void {
    const recorded = { ...this.#now(action), of };
    withdrawUndo(this.#scope);
    this.state.set({
      done: [...this.state.get().done, recorded].slice(-maxKept),
      undone: [],
      isFresh: false,
    });
    return () => this.#forget((one) => one === recorded);
  }

  /** As `record`, and offers to undo it. */
  offer(title: string, action: DoneAction): void {
    this.record(action);
    offerUndo(this.#scope, title, () => this.undo());
  }

  /** Forgets all actions on something: they no longer apply. */
  forgetAll(of: string): void {
    this.#forget((one) => one.of === of);
  }

  /** @param older - Undone if nothing was done here since the page was loaded. */
  undo(older?: DoneAction): void {
    withdrawUndo(this.#scope);
    const main = this.#main;
    if (!main) {
      this.#undoHere(older);
      return;
    }
    attempt(() =>
      this.#inTurn(async () => {
        const what = await main.undo((await this.state.get().done.at(-1)?.stepInMain) ?? 0);
        if (what === null) {
          this.#undoHere();
          return;
        }
        const { undone, ...others } = this.state.get();
        this.state.set({ ...others, undone: [...undone, this.#asUndone(null)] });
        this.#notify('undone', what);
      }),
    );
  }

  /** @param older - Done again if nothing was undone here, and nothing new was done. */
  redo(older?: DoneAction): void {
    withdrawUndo(this.#scope);
    const main = this.#main;
    if (!main) {
      this.#redoHere(older);
      return;
    }
    attempt(() =>
      this.#inTurn(async () => {
        const { undone, isFresh } = this.state.get();
        const next = undone.at(-1);
        const isOver = next !== undefined && (await next.lastInMain) !== (await this.#lastInMain());
        if (!isOver && next?.action) {
          this.#redoHere();
          return;
        }
        // What was undone before the page was loaded, only main knows.
        const redone = !isOver && (next || isFresh) ? await main.redo() : null;
        this.state.set({ ...this.state.get(), undone: redone ? undone.slice(0, -1) : [] });
        if (!redone) this.#notify('nothingToRedo', '');
        else this.#notify(redone.isRefused ? 'notRedone' : 'redone', redone.label);
      }),
    );
  }

  #redoHere(older?: DoneAction): void {
    const { done, undone, isFresh } = this.state.get();
    const action = undone.at(-1)?.action ?? (isFresh && older ? this.#now(older) : null);
    if (!action) return;
    this.state.set({ done: [...done, action], undone: undone.slice(0, -1), isFresh });
    this.#run('redone', action, () => this.redo());
  }

  #undoHere(older?: DoneAction): void {
    const { done, undone, isFresh } = this.state.get();
    const action = done.at(-1) ?? (older && this.#now(older));
    if (!action) {
      this.#notify('nothingToUndo', '');
      return;
    }
    this.state.set({ done: done.slice(0, -1), undone: [...undone, this.#asUndone(action)], isFresh });
    this.#run('undone', action, () => this.undo());
  }

  #now(action: DoneAction): Recorded {
    return { ...action, stepInMain: this.#lastInMain() };
  }

  #asUndone(action: Recorded | null): Undone {
    return { action, lastInMain: this.#lastInMain() };
  }

  #lastInMain(): Promise<number> {
    const last = this.#main?.lastStep?.() ?? Promise.resolve(0);
    return last.catch(() => 0);
  }

  /** Runs actions one after the other. Skips an action whose subject no longer exists. */
  #run(direction: 'undone' | 'redone', action: Recorded, next: () => void): void {
    const made = this.#inTurn(direction === 'undone' ? action.undo : action.redo);
    attempt(async () => {
      try {
        await made;
      } catch (thrown) {
        this.#forget((one) => one === action);
        if (asFailure(thrown).code !== 'not_found') throw thrown;
        next();
        return;
      }
      this.#notify(direction, action.label);
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const made = this.#turn.then(work);
    this.#turn = made.catch(() => undefined); // who asked for it is told
    return made;
  }

  #notify(
    outcome: 'undone' | 'redone' | 'notRedone' | 'nothingToUndo' | 'nothingToRedo',
    what: string,
  ): void {
    showHistoryCard(this.#scope, i18next.t(`actions.${outcome}`, { what }));
  }

  #forget(isGone: (action: Recorded) => boolean): void {
    const { done, undone, isFresh } = this.state.get();
    this.state.set({
      done: done.filter((one) => !isGone(one)),
      undone: undone.filter(({ action }) => !action || !isGone(action)),
      isFresh,
    });
  }
}

/** Main's name of a step, `tag (3)`: which of these, and how many. */
export function readStep<Step extends string>(
  name: string,
  steps: readonly Step[],
): { step: Step | 'other'; count: number } {
  const [, what = name, count = '1'] = /^(.*) \((\d+)\)$/.exec(name) ?? [];
  return { step: steps.find((one) => one === what) ?? 'other', count: Number(count) };
}
