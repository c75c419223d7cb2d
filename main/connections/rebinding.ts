import { type Message, t, translate } from '@likeness/messages';
import { backoffPause } from '@likeness/node-kit/backoff.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { Profile, SecretName, Settings } from '#contract';
import { certificatesIn, type Destination } from './key_binding.ts';

/** A connection's keys that are bound to another server, and the server it has now. */
export interface StaleKeys {
  profileId: string;
  profileName: string;
  keys: readonly {
    name: SecretName;
    /** Its environment variable; empty if it is stored. */
    variable: string;
    bound: Destination | null;
    to: Destination;
  }[];
  /** PEM text of the certificates that are trusted besides the system's; `to` contains their hash. */
  customCa: string;
}

/** The question to the user; the same in every entry. */
export interface Question {
  title: string;
  message: string;
  detail: string;
  yes: string;
  no: string;
}

export interface RebindingOptions {
  /** @throws Failure `locked` */
  staleKeys(profileId: string): Promise<StaleKeys>;
  bind(behind: StaleKeys): Promise<Profile>;
  profile(profileId: string): Promise<Profile>;
  /** Asks the user outside the page. @throws Failure `unsupported` if nobody can answer */
  confirm(question: Question): Promise<boolean>;
  language: () => Settings['language'];
  /** Milliseconds since 1970. */
  clock: () => number;
}

/**
 * Milliseconds without further questions after a refusal: the first value, doubled with each refusal, up to
 * the last.
 */
const pauseAfterNo = { first: 30_000, longest: 3_600_000 };

/**
 * Binds a connection's keys to its new server, with the user's consent. The page can only request the
 * question; main decides its text and who answers. There is one question at a time and a pause after each
 * refusal, so that a page can't ask until the user clicks yes by mistake.
 */
export function createRebinding(options: RebindingOptions) {
  let open = false;
  let refusals = 0;
  let notBefore = 0;

  const askOnce = async (question: Question): Promise<boolean> => {
    const wait = notBefore - options.clock();
    if (open || wait > 0) {
      throw new Failure(
        'not_allowed',
        open ? t('rebinding.open_already') : t('rebinding.was_no', { seconds: Math.ceil(wait / 1000) }),
        {
          hint: open ? t('rebinding.answer_first') : t('rebinding.or_type'),
        },
      );
    }
    open = true;
    try {
      const yes = await options.confirm(question);
      refusals = yes ? 0 : refusals + 1;
      if (!yes) notBefore = options.clock() + backoffPause(refusals, pauseAfterNo);
      return yes;
    } finally {
      open = false;
    }
  };

  return {
    /**
     * @param answer - How the user answers: by default through `confirm`, with its limits.
     * @throws Failure `not_found` if no key is withheld, `unsupported`, `not_allowed`, `locked`
     */
    async rebind(
      profileId: string,
      answer: (question: Question) => Promise<boolean> = askOnce,
    ): Promise<{ bound: boolean; profile: Profile }> {
      const behind = await options.staleKeys(profileId);
      if (behind.keys.length === 0) {
        throw new Failure('not_found', t('rebinding.none_behind', { profileName: behind.profileName }), {
          hint: t('rebinding.enter_missing'),
        });
      }
      // Bind the target of the question, even if a page changes the connection meanwhile.
      const bound = await answer(questionOf(behind, options.language()));
      return { bound, profile: bound ? await options.bind(behind) : await options.profile(profileId) };
    },
  };
}

export type Rebinding = ReturnType<typeof createRebinding>;

/** Certificates that are named one by one. */
const maxNamed = 8;

function questionOf({ profileName, keys, customCa }: StaleKeys, language: Settings['language']): Question {
  const shown = (text: Message): string => translate(text, language);
  const lines: string[] = [];
  for (const { name, variable, to } of keys) {
    const key = variable || t('rebinding.secret', { secret: name });
    lines.push(shown(t('rebinding.goes_to', { key, origin: to.origin || 'none' })));
  }
  const proxies = new Set(keys.map(({ to }) => to.proxy).filter((proxy) => proxy !== ''));
  lines.push(
    shown(
      proxies.size > 0 ? t('rebinding.proxy', { address: [...proxies].join(' ') }) : t('rebinding.no_proxy'),
    ),
  );
  const certificates = keys.some(({ to }) => to.trust !== '') ? certificatesIn(customCa) : [];
  lines.push(shown(certificates.length > 0 ? t('rebinding.trusted') : t('rebinding.system_trust')));
  for (const { subject, fingerprint } of certificates.slice(0, maxNamed)) {
    lines.push(`  ${plain(subject)} (SHA-256 ${fingerprint})`);
  }
  const more = certificates.length - maxNamed;
  if (more > 0) lines.push(`  ${shown(t('rebinding.more_trusted', { count: more }))}`);
  const before = new Set(
    keys.map(({ bound }) =>
      shown(
        t('rebinding.before', {
          origin: bound?.origin || 'none',
          proxy: (bound?.origin && bound.proxy) || 'none',
        }),
      ),
    ),
  );
  return {
    title: 'Likeness Studio',
    message: shown(t('rebinding.question', { connection: plain(profileName) })),
    detail: [...lines, '', ...before, '', shown(t('rebinding.warning'))].join('\n'),
    yes: shown(t('rebinding.yes')),
    no: shown(t('rebinding.no')),
  };
}

/**
 * Untrusted names, on one line and without bidi or control characters that could disguise the text.
 */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 120);
}
