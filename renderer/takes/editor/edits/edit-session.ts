/** Edits of the take that is open: seen at once, kept by main one after the other. */
import i18next from 'i18next';
import { useEffect, useMemo } from 'react';
import type { EditState } from '#contract';
import { applyOperation, EditError, noEdits } from '#proto/takes/edits/apply_operation.ts';
import type { EditOperation, TakeEdits } from '#proto/takes/edits/take_edits.ts';
import { attempt, tell } from '../../../base/notices.tsx';
import { createStore, type Store } from '../../../base/store.ts';
import { asFailure, studio } from '../../../base/studio.ts';

export interface EditSession {
  /** What main has; null until it is read. */
  readonly kept: Store<EditState | null>;
  /** What is seen: with what is under way, and with what a drag would do. */
  readonly shown: Store<TakeEdits>;
  /** Shows operations without making them; null: shows none. */
  preview(operations: EditOperation | readonly EditOperation[] | null): void;
  apply(...operations: EditOperation[]): void;
  /** The same; resolves when main has kept it, or has refused it, which is told. */
  applied(...operations: EditOperation[]): Promise<void>;
  undo(): void;
  redo(): void;
  nameVersion(name: string): void;
  openVersion(revision: number): void;
  /** Reads the edits and follows them. Returns its end. */
  follow(): () => void;
}

/** The edits of one take, for as long as it is shown. */
export function useEditSession(id: string): EditSession {
  const session = useMemo(() => editSession(id), [id]);
  useEffect(() => session.follow(), [session]);
  return session;
}

type Step = (after: number) => Promise<EditState>;

function editSession(id: string): EditSession {
  const kept = createStore<EditState | null>(null);
  const shown = createStore<TakeEdits>(noEdits);
  /** Sent and not answered, oldest first. */
  let waiting: EditOperation[][] = [];
  let previewed: readonly EditOperation[] = [];
  let last: Promise<unknown> = Promise.resolve();

  const show = (): void => {
    const made = waiting.flat().reduce(applyOperation, kept.get()?.edits ?? noEdits);
    shown.set(previewed.reduce(previewOf, made));
  };
  const keep = (state: EditState): void => {
    const now = kept.get();
    if (now && state.revision < now.revision) return;
    kept.set({ ...state, edits: reused(shown.get(), state.edits) });
    show();
  };
  const reopen = async (): Promise<void> => {
    waiting = [];
    previewed = [];
    keep(await studio.takeEdits.open({ id }));
    show();
  };
  const send = (step: Step, operations: EditOperation[] = []): void => {
    waiting = [...waiting, operations];
    const sent = last.then(async () => {
      // A step before it failed, and what was to come after it went with it.
      if (!waiting.includes(operations)) return;
      try {
        const state = await step(kept.get()?.revision ?? 0);
        waiting = waiting.filter((each) => each !== operations);
        keep(state);
      } catch (thrown) {
        await reopen();
        if (asFailure(thrown).code !== 'conflict') throw thrown;
        tell({
          level: 'warning',
          title: i18next.t('takes:editor.conflict'),
          text: i18next.t('takes:editor.conflictText'),
        });
      }
    });
    last = sent.catch(() => undefined); // told by `attempt`
    attempt(() => sent);
  };

  const apply = (...operations: EditOperation[]): void => {
    previewed = [];
    try {
      operations.reduce(applyOperation, shown.get());
    } catch (thrown) {
      if (!(thrown instanceof EditError)) throw thrown;
      tell({ level: 'warning', title: i18next.t('takes:editor.refused'), text: thrown.said });
      show();
      return;
    }
    send((after) => studio.takeEdits.apply({ id, after, operations }), operations);
    show();
  };

  return {
    kept,
    shown,
    preview(operations) {
      previewed = operations === null ? [] : [operations].flat();
      show();
    },
    apply,
    async applied(...operations) {
      apply(...operations);
      await last;
    },
    undo: () => send((after) => studio.takeEdits.undo({ id, after })),
    redo: () => send((after) => studio.takeEdits.redo({ id, after })),
    nameVersion: (name) => send((after) => studio.takeEdits.nameVersion({ id, after, name })),
    openVersion: (revision) => send((after) => studio.takeEdits.openVersion({ id, after, revision })),
    follow() {
      attempt(async () => keep(await studio.takeEdits.open({ id })));
      return studio.takeEdits.onChanged((state) => {
        // An answer that is on its way brings the same, or is refused.
        if (state.id === id && waiting.length === 0) keep(state);
      });
    },
  };
}

/** Parts that are as they were stay the same objects: nothing is made anew for them. */
function reused(before: TakeEdits, now: TakeEdits): TakeEdits {
  const made: Record<string, unknown> = { ...now };
  for (const [part, value] of Object.entries(before))
    if (JSON.stringify(value) === JSON.stringify(made[part])) made[part] = value;
  return made as TakeEdits;
}

/** A drag may pass what makes no sense: then nothing of it is seen. */
function previewOf(edits: TakeEdits, operation: EditOperation): TakeEdits {
  try {
    return applyOperation(edits, operation);
  } catch (thrown) {
    if (thrown instanceof EditError) return edits;
    throw thrown;
  }
}
