/**
 * Predicts the keys that a change of the form would make stale. Main decides; this only warns before saving.
 */
import type { ProfileDraft, SecretName } from '#contract';

const origin = (text: string): string => URL.parse(text.trim())?.origin ?? '';

/** Whether a key bound to the server of `saved` would no longer apply once the form is saved. */
export function becomesStale(secret: SecretName, saved: ProfileDraft, draft: ProfileDraft): boolean {
  const differs = (field: 'groupAUrl' | 'groupBUrl' | 'proxyUrl'): boolean =>
    origin(saved[field]) !== origin(draft[field]);
  const otherTrust = saved.customCa.trim() !== draft.customCa.trim();
  if (secret === 'proxyPassword')
    return differs('proxyUrl') || (otherTrust && draft.proxyUrl.startsWith('https:'));
  if (differs('proxyUrl') || otherTrust) return true;
  if (secret === 'clientKey') return differs('groupAUrl') || differs('groupBUrl');
  return differs(secret === 'accessToken' ? 'groupAUrl' : 'groupBUrl');
}
