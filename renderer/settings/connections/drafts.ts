/**
 * Edits that are not saved yet, by connection. They live outside the form, so that looking something up in another
 * place loses nothing. Keys are not among them: what is typed into a key's field stays in the field.
 */
import { useSyncExternalStore } from 'react';
import type { ProfileDraft } from '#contract';

/** Stands in the address for a connection that does not exist yet. */
export const newDraftId = 'new';

let drafts: ReadonlyMap<string, ProfileDraft> = new Map();
const watchers = new Set<() => void>();

function change(next: Map<string, ProfileDraft>): void {
  drafts = next;
  for (const watcher of watchers) watcher();
}

export const keepDraft = (id: string, draft: ProfileDraft): void => change(new Map(drafts).set(id, draft));

export function dropDraft(id: string): void {
  const next = new Map(drafts);
  if (next.delete(id)) change(next);
}

export const useUnsaved = (): ReadonlyMap<string, ProfileDraft> =>
  useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => drafts,
  );
