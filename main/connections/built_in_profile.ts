import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { newProfile, ProfileDraft } from '#contract';

/** For the built-in engine the user may set only the number of concurrent jobs. */
const editable: readonly string[] = ['concurrency', 'requestsPerMinute', 'polling'];

/** The built-in engine's profile, as created at the first start. */
export const builtInDraft: ProfileDraft = {
  ...newProfile,
  name: 'Built-in engine',
  polling: { least: 0.5, most: 5 },
};

/** @throws Failure `not_allowed` naming the field */
export function refuseBuiltInChanges(before: ProfileDraft, after: ProfileDraft): void {
  for (const field of Object.keys(ProfileDraft.shape) as (keyof ProfileDraft)[]) {
    if (editable.includes(field) || JSON.stringify(before[field]) === JSON.stringify(after[field])) continue;
    throw new Failure('not_allowed', t('connections.built_in_field', { field }), {
      field: `changes.${field}`,
      hint: t('connections.own_connection'),
    });
  }
}
