import { X509Certificate } from 'node:crypto';
import type { ProfileDraft } from '#contract';
import { certificateBlocks } from './key_binding.ts';

/** What keeps a draft from being a connection, beyond the shape that the contract checks. */
export interface DraftProblem {
  /** Dotted path within the draft. */
  field: string;
  problem: string;
  hint: string;
}

/** All problems of a draft whose shape fits the contract; empty where it is fine. */
export function draftProblems(draft: ProfileDraft): DraftProblem[] {
  const problems: DraftProblem[] = [];
  const say = (field: string, problem: string, hint: string): void => {
    problems.push({ field, problem, hint });
  };

  for (const field of ['groupAUrl', 'groupBUrl', 'proxyUrl'] as const) {
    const text = draft[field];
    if (text === '') continue;
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || url.hostname === '') {
      say(field, 'This is not an address.', 'Write it like https://api.example.com.');
    } else if (url.username || url.password) {
      say(field, 'The address has a user name or password in it.', 'Enter keys in their own fields.');
    } else if (url.search || url.hash) {
      // A key in there would be stored and exported in plain text.
      say(
        field,
        'The address has a part after ? or # in it.',
        'Enter the address only; keys have their own fields.',
      );
    } else if (field === 'proxyUrl' && url.pathname !== '/') {
      say(field, 'The address of a proxy has no path.', 'Write it like http://proxy.example.com:8080.');
    }
  }
  if (draft.polling.most < draft.polling.least) {
    say(
      'polling.most',
      'The longest pause is shorter than the first.',
      'Make it at least as long as the first.',
    );
  }
  for (const field of ['customCa', 'clientCertificate'] as const) {
    if (holdsPrivateKey(draft[field])) {
      say(field, 'This holds a private key.', 'Put only certificates here; the key goes in “Client key”.');
    } else if (draft[field].trim() !== '' && !areCertificates(draft[field])) {
      say(
        field,
        'This is not a certificate in PEM form.',
        'Choose a file that begins with -----BEGIN CERTIFICATE-----.',
      );
    }
  }
  if (holdsPrivateKey(draft.stream.proto)) {
    say('stream.proto', 'This holds a private key.', 'Put only the schema of the stream here.');
  }
  return problems;
}

function holdsPrivateKey(text: string): boolean {
  return /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(text);
}

function areCertificates(text: string): boolean {
  const blocks = text.match(certificateBlocks) ?? [];
  // Nothing beside them that TLS would take for a certificate and a person would not be shown.
  if (text.split('-----BEGIN').length - 1 !== blocks.length) return false;
  try {
    for (const block of blocks) new X509Certificate(block);
    return blocks.length > 0;
  } catch {
    return false;
  }
}
