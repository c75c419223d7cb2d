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

export class PageHistory {
  #done: readonly DoneAction[] = [];
  #undone: readonly DoneAction[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  /** `isFresh`: nothing new was done since the page was loaded, so that what was undone before can come back. */
  readonly state = createStore({ undo: 0, redo: 0, isFresh: true });

  /** @returns forgets the action: it was refused, or was undone by other means */
  record(action: DoneAction): () => void {
    this.#set([...this.#done, action].slice(-maxKept), [], false);
    return () => this.#set(without(this.#done, action), without(this.#undone, action));
  }

  /** @param older what is undone when nothing was done here since the page was loaded */
  undo(older?: DoneAction): void {
    const action = this.#done.at(-1) ?? older;
    if (!action) return;
    this.#set(this.#done.slice(0, -1), [...this.#undone, action]);
    this.#run(action.undo, action, () => this.undo());
  }

  /** @param older what is done again when nothing was undone here, and nothing new was done */
  redo(older?: DoneAction): void {
    const action = this.#undone.at(-1) ?? (this.state.get().isFresh ? older : undefined);
    if (!action) return;
    this.#set([...this.#done, action], this.#undone.slice(0, -1));
    this.#run(action.redo, action, () => this.redo());
  }

  /** Runs actions one after the other. Skips an action whose subject no longer exists. */
  #run(work: () => Promise<unknown>, action: DoneAction, next: () => void): void {
    const made = this.#turn.then(work);
    this.#turn = made.catch(() => undefined); // told below
    attempt(() =>
      made.catch((thrown: unknown) => {
        this.#set(without(this.#done, action), without(this.#undone, action));
        if (asFailure(thrown).code !== 'not_found') throw thrown;
        next();
      }),
    );
  }

  #set(done: readonly DoneAction[], undone: readonly DoneAction[], isFresh = this.state.get().isFresh): void {
    this.#done = done;
    this.#undone = undone;
    this.state.set({ undo: done.length, redo: undone.length, isFresh });
  }
}

const without = (actions: readonly DoneAction[], gone: DoneAction): readonly DoneAction[] =>
  actions.filter((action) => action !== gone);
