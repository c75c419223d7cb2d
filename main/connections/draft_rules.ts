import { X509Certificate } from 'node:crypto';
import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { ProfileDraft } from '#contract';
import { certificateBlocks } from './key_binding.ts';

/** A problem of a draft beyond the shape that the contract checks. */
export interface DraftProblem {
  /** Dotted path within the draft. */
  field: string;
  problem: Message;
  hint: Message;
}

/** Returns all problems of a draft that matches the contract's schema; empty if valid. */
export function draftProblems(draft: ProfileDraft): DraftProblem[] {
  const problems: DraftProblem[] = [];
  const complain = (field: string, problem: Message, hint: Message): void => {
    problems.push({ field, problem, hint });
  };

  for (const field of ['groupAUrl', 'groupBUrl', 'proxyUrl'] as const) {
    const text = draft[field];
    if (text === '') continue;
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || url.hostname === '') {
      complain(field, t('draft.no_address'), t('draft.like_this'));
    } else if (url.username || url.password) {
      complain(field, t('draft.user_in_address'), t('draft.keys_own_fields'));
    } else if (url.search || url.hash) {
      // A key in this field would be stored and exported in plain text.
      complain(field, t('draft.query_in_address'), t('draft.address_only'));
    } else if (field === 'proxyUrl' && url.pathname !== '/') {
      complain(field, t('draft.proxy_path'), t('draft.proxy_like_this'));
    }
  }
  if (draft.polling.most < draft.polling.least) {
    complain('polling.most', t('draft.pause_shorter'), t('draft.pause_longer'));
  }
  for (const field of ['customCa', 'clientCertificate'] as const) {
    if (holdsPrivateKey(draft[field])) {
      complain(field, t('draft.holds_private_key'), t('draft.certificates_only'));
    } else if (draft[field].trim() !== '' && !areCertificates(draft[field])) {
      complain(field, t('draft.no_certificate'), t('draft.begin_certificate'));
    }
  }
  if (holdsPrivateKey(draft.stream.proto)) {
    complain('stream.proto', t('draft.holds_private_key'), t('draft.schema_only'));
  }
  return problems;
}

/** Returns the draft for storage. @throws Failure `invalid_input` naming the field, after `prefix`. */
export function checkedDraft(draft: ProfileDraft, prefix: string): ProfileDraft {
  const { data, error } = ProfileDraft.safeParse(draft);
  const issue = error?.issues[0];
  if (!data) {
    throw new Failure(
      'invalid_input',
      t('connections.does_not_fit', { issue: issue?.message ?? 'something_else' }),
      {
        field: `${prefix}${issue?.path.join('.') ?? ''}`,
      },
    );
  }
  const [first] = draftProblems(data);
  if (!first) return data;
  throw new Failure('invalid_input', first.problem, { field: `${prefix}${first.field}`, hint: first.hint });
}

function holdsPrivateKey(text: string): boolean {
  return /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(text);
}

function areCertificates(text: string): boolean {
  const blocks = text.match(certificateBlocks) ?? [];
  // Rejects any other text that TLS would accept as a certificate but the user would not see.
  if (text.split('-----BEGIN').length - 1 !== blocks.length) return false;
  try {
    for (const block of blocks) new X509Certificate(block);
    return blocks.length > 0;
  } catch {
    return false;
  }
}
