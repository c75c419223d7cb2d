import { type Message, t } from '@likeness/messages';
import { z } from 'zod';
import { newProfile, ProfileDraft } from '#contract';
import { draftProblems } from './draft_rules.ts';

export interface ReadingProblem {
  /** Dotted path within the input. */
  field: string;
  problem: Message;
}

/** Names under which other tools or users might have put a key into a file. */
const keyLike =
  /secret|passw|passphrase|token|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?key|credential|authorization|auth[_-]?ak|bearer/i;

/**
 * Parses a draft from any source: an imported file, a row of an older or newer studio. A missing field gets
 * its default from `newProfile`. An invalid field also does, and is reported. Unknown fields are dropped and
 * reported. Never quotes an invalid value: it may be a key.
 */
export function readDraft(value: unknown): { draft: ProfileDraft; problems: ReadingProblem[] } {
  const problems: ReadingProblem[] = [];
  const report = (field: string, problem: Message): void => {
    problems.push({ field, problem });
  };
  let draft = ProfileDraft.parse(fill(ProfileDraft, newProfile, value, '', report));
  for (const { field, problem } of draftProblems(draft)) {
    report(field, t('connections.default_taken', { problem }));
    draft = withDefault(draft, field);
  }
  return { draft, problems };
}

function fill(
  schema: z.ZodObject,
  defaults: object,
  value: unknown,
  path: string,
  report: (field: string, problem: Message) => void,
): Record<string, unknown> {
  const given = isRecord(value) ? value : {};
  if (value !== undefined && !isRecord(value)) report(path, t('connections.no_group'));
  const filled: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const fieldPath = path === '' ? name : `${path}.${name}`;
    const fallback = (defaults as Record<string, unknown>)[name];
    const own = Object.hasOwn(given, name) ? given[name] : undefined;
    if (field instanceof z.ZodObject && isRecord(fallback)) {
      filled[name] = fill(field, fallback, own, fieldPath, report);
      continue;
    }
    const parsed = (field as z.ZodType).safeParse(own);
    filled[name] = parsed.success ? parsed.data : fallback;
    if (!parsed.success && own !== undefined) {
      const expected = parsed.error.issues[0]?.message ?? 'something_else_briefly';
      report(fieldPath, t('connections.not_fit_default', { expected }));
    }
  }
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(schema.shape, name)) continue;
    const fieldPath = `${path === '' ? '' : `${path}.`}${name.slice(0, 80)}`;
    if (keyLike.test(name)) report(fieldPath, t('connections.keys_never_imported'));
    else report(fieldPath, t('connections.field_unknown'));
  }
  return filled;
}

function withDefault(draft: ProfileDraft, field: string): ProfileDraft {
  const [group = '', name] = field.split('.');
  const whole = draft as unknown as Record<string, unknown>;
  const defaults = newProfile as unknown as Record<string, unknown>;
  if (name === undefined) return ProfileDraft.parse({ ...whole, [group]: defaults[group] });
  // Two fields of a group may be invalid only in combination (minimum and maximum). Then the whole group is
  // reset, except for the stream, whose fields the user wrote.
  if (group !== 'stream') return ProfileDraft.parse({ ...whole, [group]: defaults[group] });
  return { ...draft, stream: { ...draft.stream, [name]: '' } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
