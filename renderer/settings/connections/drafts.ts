/**
 * Unsaved edits by connection. They live outside the form, so that a visit to another page loses nothing.
 * They contain no keys: those stay in their fields.
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
