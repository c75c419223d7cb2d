/** The undo history of a page: one key undoes the last action, whatever it was. */
import { attempt } from './notices.tsx';
import { createStore } from './store.ts';
import { asFailure } from './studio.ts';

export interface DoneAction {
  undo(): Promise<unknown>;
  redo(): Promise<unknown>;
}

/** Actions that can be undone. */
const maxKept = 200;

interface Undoable {
  done: readonly DoneAction[];
  undone: readonly DoneAction[];
  /** Nothing new was done since the page was loaded, so that what was undone before can come back. */
  isFresh: boolean;
}

export class PageHistory {
  readonly state = createStore<Undoable>({ done: [], undone: [], isFresh: true });
  #turn: Promise<unknown> = Promise.resolve();

  /** @returns forgets the action: it was refused, or was undone by other means */
  record(action: DoneAction): () => void {
    this.state.set({ done: [...this.state.get().done, action].slice(-maxKept), undone: [], isFresh: false });
    return () => this.#forget(action);
  }

  /** @param older what is undone when nothing was done here since the page was loaded */
  undo(older?: DoneAction): void {
    const { done, undone, isFresh } = this.state.get();
    const action = done.at(-1) ?? older;
    if (!action) return;
    this.state.set({ done: done.slice(0, -1), undone: [...undone, action], isFresh });
    this.#run(action.undo, action, () => this.undo());
  }

  /** @param older what is done again when nothing was undone here, and nothing new was done */
  redo(older?: DoneAction): void {
    const { done, undone, isFresh } = this.state.get();
    const action = undone.at(-1) ?? (isFresh ? older : undefined);
    if (!action) return;
    this.state.set({ done: [...done, action], undone: undone.slice(0, -1), isFresh });
    this.#run(action.redo, action, () => this.redo());
  }

  /** Runs actions one after the other. Skips an action whose subject no longer exists. */
  #run(work: () => Promise<unknown>, action: DoneAction, next: () => void): void {
    const made = this.#turn.then(work);
    this.#turn = made.catch(() => undefined); // told below
    attempt(() =>
      made.catch((thrown: unknown) => {
        this.#forget(action);
        if (asFailure(thrown).code !== 'not_found') throw thrown;
        next();
      }),
    );
  }

  #forget(action: DoneAction): void {
    const { done, undone, isFresh } = this.state.get();
    this.state.set({ done: without(done, action), undone: without(undone, action), isFresh });
  }
}

const without = (actions: readonly DoneAction[], gone: DoneAction): readonly DoneAction[] =>
  actions.filter((action) => action !== gone);
