/** Edits of the take that is open: seen at once, kept by main one after the other. */

import { applyOperation, EditError, noEdits } from '@likeness/proto/takes/edits/apply_operation.ts';
import type { EditOperation, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import i18next from 'i18next';
import { useEffect, useMemo } from 'react';
import type { EditState } from '#contract';
import { attempt, notify } from '../../../base/notices.tsx';
import type { Reversible } from '../../../base/page-history.ts';
import { createStore, type Store } from '../../../base/store.ts';
import { asFailure, studio } from '../../../base/studio.ts';
import { inTake, takesHistory } from '../../takes-history.ts';
import { editLabel } from './edit-label.ts';

export interface EditSession {
  /** Of the take. */
  readonly id: string;
  /** The state in main; null until it is read. */
  readonly kept: Store<EditState | null>;
  /** The shown state: with pending edits and the effect of a drag. */
  readonly shown: Store<TakeEdits>;
  /** Shows operations without making them; null: shows none. */
  preview(operations: EditOperation | readonly EditOperation[] | null): void;
  apply(...operations: EditOperation[]): void;
  /** The same as a part of something that is undone as a whole; whether it changed anything. Rejects where main refuses it. */
  applyPart(...operations: EditOperation[]): Promise<boolean>;
  /** One step back in this take's own edits. */
  undo(): Promise<unknown>;
  redo(): Promise<unknown>;
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
  let followers = 0;

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
  /** @returns whether it was made: false where a step before it was refused, or somebody else was quicker */
  const send = (step: Step, operations: EditOperation[] = []): Promise<boolean> => {
    waiting = [...waiting, operations];
    const sent = last.then(async () => {
      // A step before it failed, and what was to come after it went with it.
      if (!waiting.includes(operations)) return false;
      try {
        // While another take is shown nothing tells of changes.
        if (followers === 0) keep(await studio.takeEdits.open({ id }));
        const state = await step(kept.get()?.revision ?? 0);
        waiting = waiting.filter((each) => each !== operations);
        keep(state);
        return true;
      } catch (thrown) {
        await reopen();
        if (asFailure(thrown).code !== 'conflict') throw thrown;
        notify({
          level: 'warning',
          title: i18next.t('takes:editor.conflict'),
          text: i18next.t('takes:editor.conflictText'),
        });
        return false;
      }
    });
    last = sent.catch(() => undefined); // told by who asked
    return sent;
  };
  const undo = (): Promise<boolean> => send((after) => studio.takeEdits.undo({ id, after }));
  const redo = (): Promise<boolean> => send((after) => studio.takeEdits.redo({ id, after }));
  const goTo = (revision: number): Promise<boolean> =>
    send((after) => studio.takeEdits.openVersion({ id, after, revision }));
  /** At once, so that it can be undone before main has answered. */
  const recorded = (label: string, sent: Promise<boolean>, action: Reversible): void => {
    const forget = takesHistory.record(inTake(id, { label, ...action }));
    attempt(() =>
      sent.then(
        (isMade) => {
          if (!isMade) forget();
        },
        (thrown: unknown) => {
          forget();
          throw thrown;
        },
      ),
    );
  };

  /** @returns the state of before, and whether it is made; null: it changes nothing, or is refused */
  const make = (operations: EditOperation[]): { before: TakeEdits; sent: Promise<boolean> } | null => {
    previewed = [];
    // What it is measured by: without the preview.
    show();
    const before = shown.get();
    try {
      const after = operations.reduce(applyOperation, before);
      // What changes nothing is no step to undo; what a take has is known while it is followed.
      if (followers > 0 && kept.get() && JSON.stringify(after) === JSON.stringify(before)) return null;
    } catch (thrown) {
      if (!(thrown instanceof EditError)) throw thrown;
      notify({ level: 'warning', title: i18next.t('takes:editor.refused'), text: thrown.userMessage });
      return null;
    }
    const sent = send((after) => studio.takeEdits.apply({ id, after, operations }), operations);
    show();
    return { before, sent };
  };

  return {
    id,
    kept,
    shown,
    preview(operations) {
      previewed = operations === null ? [] : [operations].flat();
      show();
    },
    apply(...operations) {
      const made = make(operations);
      if (made) recorded(editLabel(made.before, operations), made.sent, { undo, redo });
    },
    applyPart: async (...operations) => make(operations)?.sent ?? false,
    undo,
    redo,
    nameVersion: (name) => attempt(() => send((after) => studio.takeEdits.nameVersion({ id, after, name }))),
    openVersion(revision) {
      const before = kept.get()?.revision ?? 0;
      if (revision === before) return;
      recorded(i18next.t('takes:done.version'), goTo(revision), {
        undo: () => goTo(before),
        redo: () => goTo(revision),
      });
    },
    follow() {
      followers += 1;
      attempt(() => studio.takeEdits.open({ id }).then(keep, unlessGone));
      const end = studio.takeEdits.onChanged((state) => {
        // An answer that is on its way brings the same, or is refused.
        if (state.id === id && waiting.length === 0) keep(state);
      });
      return () => {
        followers -= 1;
        end();
      };
    },
  };
}

/** A take that was put into the trash while it was opened needs no words: it leaves the page by itself. */
function unlessGone(thrown: unknown): void {
  if (asFailure(thrown).code !== 'not_found') throw thrown;
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
