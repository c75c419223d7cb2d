import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Profile, ProfileDraft, SecretName } from '#contract';
import { secretNames } from '#contract/constants.ts';
import { notify, notifyFailure } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { asFailure, studio } from '../../base/studio.ts';
import { queryClient, useKeyStore } from '../../base/studio-queries.ts';
import { profileName } from '../../base/text/profile-name.ts';
import { detailsOf } from './details.ts';
import { dropDraft, keepDraft, newDraftId, useUnsaved } from './drafts.ts';
import type { ChangeField, SectionWithKeysProps } from './fields/connection-fields.ts';
import type { SecretElement } from './fields/SecretField.tsx';
import { type Problems, problemAt, problemsOf } from './problems.ts';

/** Returns the changed fields, so that a save touches nothing else. */
function changesBetween(from: ProfileDraft, to: ProfileDraft): Partial<ProfileDraft> {
  const changed = Object.entries(to).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(from[field as keyof ProfileDraft]),
  );
  return Object.fromEntries(changed);
}

/** A connection's form: its values, their errors, and saving. */
interface ConnectionForm {
  /** Id of the connection, or of a new one. */
  id: string;
  form: RefObject<HTMLFormElement | null>;
  section: SectionWithKeysProps;
  /** There are unsaved changes. */
  dirty: boolean;
  busy: boolean;
  /** How many fields are wrong. */
  problemCount: number;
  /** Saves draft and keys; answers with the profile, or nothing where something was refused and told. */
  save(): Promise<Profile | undefined>;
  revert(): void;
}

/**
 * @param profile - Undefined while the connection does not exist yet.
 * @param saved - What was saved last, or what a new one begins with.
 * @param oneKey - What is entered as access token is the API key, too.
 */
export function useConnectionForm(
  profile: Profile | undefined,
  saved: ProfileDraft,
  oneKey: boolean,
): ConnectionForm {
  const { t } = useTranslation(['settings', 'app']);
  const { t: frame } = useTranslation();
  const keyStore = useKeyStore().data;
  const id = profile?.id ?? newDraftId;
  const draft = useUnsaved().get(id) ?? saved;
  const changes = changesBetween(saved, draft);

  const [problems, setProblems] = useState<Problems>({});
  const [typedKeys, setTypedKeys] = useState(false);
  const [busy, setBusy] = useState(false);
  const keyFields = useRef(new Map<SecretName, SecretElement>());
  const form = useRef<HTMLFormElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when a new one is begun
  useEffect(() => {
    if (!profile) form.current?.querySelector<HTMLInputElement>('[data-field="name"]')?.focus();
  }, []);

  const dirty = Object.keys(changes).length > 0 || typedKeys;
  const change: ChangeField = (
    changed: keyof ProfileDraft | Partial<ProfileDraft>,
    value?: ProfileDraft[keyof ProfileDraft],
  ) => {
    const next = { ...draft, ...(typeof changed === 'string' ? { [changed]: value } : changed) };
    keepDraft(id, next);
    // A field with an error is validated again at once; others wait until saving.
    if (Object.keys(problems).length > 0) setProblems(problemsOf(t, next));
  };

  const registerKey = useCallback((secret: SecretName, element: SecretElement | null) => {
    if (element) keyFields.current.set(secret, element);
    else keyFields.current.delete(secret);
  }, []);

  const complain = (found: Problems): void => {
    setProblems(found);
    const first = Object.keys(found)[0];
    const field = form.current?.querySelector<HTMLElement>(
      `[data-field="${first}"], [data-secret="${first}"]`,
    );
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  };

  /** Saves draft and keys; answers with the profile, or nothing where something was refused and told. */
  const save = async (): Promise<Profile | undefined> => {
    const found = problemsOf(t, draft);
    if (Object.keys(found).length > 0) {
      complain(found);
      return undefined;
    }
    setBusy(true);
    try {
      let now = profile;
      if (!now) now = await studio.connections.create(draft);
      else if (Object.keys(changes).length > 0)
        now = await studio.connections.update({ id: now.id, changes });
      for (const secret of secretNames) {
        const field = keyFields.current.get(secret);
        if (!field || field.value === '') continue;
        try {
          now = await studio.connections.setSecret({ id: now.id, secret, value: field.value });
          if (oneKey && secret === 'accessToken')
            now = await studio.connections.setSecret({ id: now.id, secret: 'apiKey', value: field.value });
          field.value = '';
        } catch (thrown) {
          // The connection itself is saved by now; only this key is not.
          dropDraft(id);
          if (!profile) go('settings', 'connections', now.id);
          const failure = asFailure(thrown);
          setProblems({ [secret]: failure.text });
          notifyFailure(failure);
          return undefined;
        }
      }
      // From now on show what was saved.
      await queryClient.fetchQuery(detailsOf(now.id, now));
      dropDraft(id);
      setProblems({});
      setTypedKeys(false);
      notify({
        level: 'success',
        title: t(profile ? 'connections.saved' : 'connections.created', { name: profileName(frame, now) }),
        text: '',
      });
      if (!profile) go('settings', 'connections', now.id);
      return now;
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (failure.code === 'invalid_input' && failure.field) {
        const field = failure.field.replace(/^changes\./, '');
        complain({ [field]: problemAt(t, field, failure.message) });
      } else notifyFailure(failure);
      return undefined;
    } finally {
      setBusy(false);
    }
  };

  const revert = (): void => {
    dropDraft(id);
    setProblems({});
    setTypedKeys(false);
    for (const field of keyFields.current.values()) field.value = '';
    if (!profile) go('settings', 'connections');
  };

  const at = (field: string) => ({ error: problems[field], 'data-field': field });
  const secret = (which: SecretName) => ({
    secret: which,
    profile,
    leaves: becomesStale(which, saved, draft),
    disabled: keyStore?.locked || keyStore?.needsChoice || false,
    error: problems[which],
    register: registerKey,
    onTyped: () => setTypedKeys(true),
  });

  return {
    id,
    form,
    section: { draft, change, at, secret },
    dirty,
    busy,
    problemCount: Object.keys(problems).length,
    save,
    revert,
  };
}

const origin = (text: string): string => URL.parse(text.trim())?.origin ?? '';

/**
 * Whether a key bound to the server of `saved` would no longer apply once the form is saved. Main decides; this
 * only warns before saving.
 */
function becomesStale(secret: SecretName, saved: ProfileDraft, draft: ProfileDraft): boolean {
  const differs = (field: 'groupAUrl' | 'groupBUrl' | 'proxyUrl'): boolean =>
    origin(saved[field]) !== origin(draft[field]);
  const otherTrust = saved.customCa.trim() !== draft.customCa.trim();
  if (secret === 'proxyPassword')
    return differs('proxyUrl') || (otherTrust && draft.proxyUrl.startsWith('https:'));
  if (differs('proxyUrl') || otherTrust) return true;
  if (secret === 'clientKey') return differs('groupAUrl') || differs('groupBUrl');
  return differs(secret === 'accessToken' ? 'groupAUrl' : 'groupBUrl');
}
