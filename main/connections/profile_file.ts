import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { newProfile, type ProfileDraft } from '#contract';
import { readDraft } from './draft_reading.ts';

const format = 'likeness-connections';
const version = 1;

/** Maximum connections in one import. */
const maxImported = 200;
/** Most problems reported at once. */
const maxProblems = 500;

/** Connections as a file to share. The format has no field for keys. */
export function writeProfileFile(drafts: readonly ProfileDraft[]): string {
  return `${JSON.stringify({ format, version, profiles: drafts }, null, 2)}\n`;
}

/**
 * Parses such a file, or a handwritten one (a list of connections, or a single one). Reads valid parts and
 * reports problems by path.
 *
 * @throws Failure `invalid_input` if the text is not JSON or has no connections.
 */
export function readProfileFile(text: string): {
  drafts: ProfileDraft[];
  problems: { where: string; problem: Message }[];
} {
  const problems: { where: string; problem: Message }[] = [];
  const complain = (where: string, problem: Message): void => {
    if (problems.length < maxProblems) problems.push({ where, problem });
  };
  const entries = entriesOf(parse(text), complain);
  if (entries.length > maxImported) {
    complain('profiles', t('profiles.only_first', { most: maxImported, count: entries.length }));
  }
  const drafts: ProfileDraft[] = [];
  for (const [index, entry] of entries.slice(0, maxImported).entries()) {
    const path = `profiles[${index}]`;
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
      complain(path, t('profiles.no_connection'));
      continue;
    }
    const { draft, problems: found } = readDraft(withoutOurOwn(entry));
    const named = draft.name === newProfile.name ? path : `${path} “${draft.name}”`;
    for (const { field, problem } of found) complain(`${named} ${field}`, problem);
    drafts.push(draft);
  }
  return { drafts, problems };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new Failure('invalid_input', t('profiles.not_json'), {
      field: 'text',
      hint: t('profiles.choose_export'),
      cause: error,
    });
  }
}

function entriesOf(content: unknown, complain: (where: string, problem: Message) => void): unknown[] {
  if (Array.isArray(content)) return content;
  if (typeof content === 'object' && content !== null) {
    const record = content as Record<string, unknown>;
    if (Array.isArray(record.profiles)) {
      if (typeof record.version === 'number' && record.version > version) {
        complain('version', t('profiles.newer'));
      }
      return record.profiles;
    }
    if (record.format === undefined && (record.name ?? record.groupAUrl ?? record.groupBUrl) !== undefined) {
      return [content];
    }
  }
  throw new Failure('invalid_input', t('profiles.none'), {
    field: 'text',
    hint: t('profiles.choose_export'),
  });
}

/** Fields of a copied list of connections that a draft does not have; ignored without a report. */
function withoutOurOwn(entry: object): Record<string, unknown> {
  const { id, builtIn, isDefault, createdAt, changedAt, ...rest } = entry as Record<string, unknown>;
  return rest;
}
