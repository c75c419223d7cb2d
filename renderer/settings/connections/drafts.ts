/**
 * Edits that are not saved yet, by connection. They live outside the form, so that looking something up in
 * another place loses nothing. Keys are not among them: what is typed into a key's field stays in the field.
 */
import type { ProfileDraft } from '#contract';
import { createStore } from '../../base/store.ts';

/** Id in the URL for a connection that does not exist yet. */
export const newDraftId = 'new';

const drafts = createStore<ReadonlyMap<string, ProfileDraft>>(new Map());

export const keepDraft = (id: string, draft: ProfileDraft): void =>
  drafts.set(new Map(drafts.get()).set(id, draft));

export function dropDraft(id: string): void {
  const next = new Map(drafts.get());
  if (next.delete(id)) drafts.set(next);
}

export const useUnsaved = (): ReadonlyMap<string, ProfileDraft> => drafts.use();
