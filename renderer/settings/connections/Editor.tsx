import { ActionIcon, Button, Menu, NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import { IconCopy, IconDots, IconDownload, IconStar, IconTestPipe, IconTrash } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Profile, ProfileDraft, SecretName } from '#contract';
import { secretNames } from '#contract/constants.ts';
import { attempt, tell, tellFailure } from '../../base/notices.tsx';
import { profileName } from '../../base/profile-name.ts';
import { go } from '../../base/route.ts';
import { asFailure, studio } from '../../base/studio.ts';
import { queryClient, useKeyStore } from '../../base/studio-queries.ts';
import { unlockOpen } from '../../base/unlock.ts';
import { Callout } from '../../ui/Callout.tsx';
import { Confirm } from '../../ui/dialogs/Confirm.tsx';
import { download } from '../../ui/download.ts';
import { Section } from '../../ui/Section.tsx';
import { Page } from '../Page.tsx';
import { detailsOf } from './details.ts';
import { dropDraft, keepDraft, newDraftId, useUnsaved } from './drafts.ts';
import classes from './Editor.module.css';
import { KeysBehind } from './KeysBehind.tsx';
import { staysBehind } from './left-behind.ts';
import { type Problems, problemAt, problemsOf } from './problems.ts';
import { type SecretElement, SecretField } from './SecretField.tsx';
import { StreamFields } from './StreamFields.tsx';
import { TestReport } from './TestReport.tsx';
import { closeTest, runTest, useTest } from './tests.ts';

/** What differs, so that a save touches nothing else. */
function changesBetween(from: ProfileDraft, to: ProfileDraft): Partial<ProfileDraft> {
  const changed = Object.entries(to).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(from[field as keyof ProfileDraft]),
  );
  return Object.fromEntries(changed);
}

export type Change = <K extends keyof ProfileDraft>(field: K, value: ProfileDraft[K]) => void;

interface Props {
  /** Undefined while the connection does not exist yet. */
  profile: Profile | undefined;
  /** What was saved last, or what a new one begins with. */
  saved: ProfileDraft;
  testAtOnce: boolean;
}

export function Editor({ profile, saved, testAtOnce }: Props) {
  const { t } = useTranslation(['settings', 'app']);
  const { t: frame } = useTranslation();
  const keyStore = useKeyStore().data;
  const id = profile?.id ?? newDraftId;
  const draft = useUnsaved().get(id) ?? saved;
  const changes = changesBetween(saved, draft);

  const [problems, setProblems] = useState<Problems>({});
  const [typedKeys, setTypedKeys] = useState(false);
  const [busy, setBusy] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const test = useTest(id);
  const keyFields = useRef(new Map<SecretName, SecretElement>());
  const form = useRef<HTMLFormElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when a new one is begun
  useEffect(() => {
    if (!profile) form.current?.querySelector<HTMLInputElement>('[data-field="name"]')?.focus();
  }, []);

  const dirty = Object.keys(changes).length > 0 || typedKeys;
  const change: Change = (field, value) => {
    const next = { ...draft, [field]: value };
    keepDraft(id, next);
    // A field that was complained about is judged again at once; the others wait until the person is done.
    if (Object.keys(problems).length > 0) setProblems(problemsOf(t, next));
  };

  const holdKey = useCallback((secret: SecretName, element: SecretElement | null) => {
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
          field.value = '';
        } catch (thrown) {
          // The connection itself is saved by now; only this key is not.
          dropDraft(id);
          if (!profile) go('settings', 'connections', now.id);
          const failure = asFailure(thrown);
          setProblems({ [secret]: [failure.message, failure.hint].filter(Boolean).join(' ') });
          tellFailure(failure);
          return undefined;
        }
      }
      // What is shown from now on is what was saved.
      await queryClient.fetchQuery(detailsOf(now.id, now));
      dropDraft(id);
      setProblems({});
      setTypedKeys(false);
      tell({
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
      } else tellFailure(failure);
      return undefined;
    } finally {
      setBusy(false);
    }
  };

  const saveAndTest = async (): Promise<void> => {
    const now = dirty || !profile ? await save() : profile;
    if (now) await runTest(now.id);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for by the address, once
  useEffect(() => {
    if (testAtOnce && profile) attempt(() => runTest(profile.id));
  }, []);

  const revert = (): void => {
    dropDraft(id);
    setProblems({});
    setTypedKeys(false);
    for (const field of keyFields.current.values()) field.value = '';
    if (!profile) go('settings', 'connections');
  };

  const count = Object.keys(problems).length;
  const name = profile ? profileName(frame, profile) : t('connections.new');
  const at = (field: string) => ({ error: problems[field], 'data-field': field });
  const secret = (which: SecretName) => ({
    secret: which,
    profile,
    leaves: staysBehind(which, saved, draft),
    disabled: keyStore?.locked || keyStore?.needsChoice || false,
    error: problems[which],
    hold: holdKey,
    onTyped: () => setTypedKeys(true),
  });

  return (
    <form
      ref={form}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        attempt(save);
      }}
    >
      <Page
        title={name}
        intro={profile?.builtIn ? t('connections.builtInNote') : undefined}
        actions={
          <>
            {profile?.isDefault && <span className={classes.default}>{t('connections.isDefault')}</span>}
            {profile && !profile.isDefault && (
              <Button
                variant="subtle"
                color="gray"
                leftSection={<IconStar size={15} />}
                onClick={() => attempt(() => studio.connections.setDefault({ id }))}
              >
                {t('connections.makeDefault')}
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconTestPipe size={15} />}
              loading={test !== undefined && !test.report}
              onClick={() => attempt(saveAndTest)}
            >
              {dirty || !profile ? t('test.saveAndRun') : t('test.run')}
            </Button>
            {profile && (
              <More
                profile={profile}
                onDelete={() => setDeleting(true)}
                onDuplicated={(copy) => go('settings', 'connections', copy.id)}
              />
            )}
          </>
        }
      >
        {test && <TestReport report={test.report} onClose={() => closeTest(id)} />}
        {profile && <KeysBehind profile={profile} unsaved={dirty} />}
        {!profile?.builtIn && (keyStore?.locked || keyStore?.needsChoice) && (
          <div className={classes.notice}>
            {keyStore?.locked && (
              <Callout
                tone="warn"
                action={<Button onClick={() => unlockOpen.set(true)}>{t('connections.unlock')}</Button>}
              >
                {t('connections.keysLocked')}
              </Callout>
            )}
            {keyStore?.needsChoice && (
              <Callout
                tone="warn"
                action={<Button onClick={() => go('settings', 'keys')}>{t('connections.choose')}</Button>}
              >
                {t('connections.keysChoice')}
              </Callout>
            )}
          </div>
        )}

        {!profile?.builtIn && (
          <>
            <Section title={t('fields.identity')}>
              <TextInput
                label={t('fields.name')}
                description={t('fields.nameNote')}
                value={draft.name}
                onChange={({ currentTarget }) => change('name', currentTarget.value)}
                {...at('name')}
              />
            </Section>
            <Section title={t('fields.groupA')} note={t('fields.groupANote')}>
              <TextInput
                label={t('fields.groupAUrl')}
                description={t('fields.groupAUrlNote')}
                value={draft.groupAUrl}
                inputMode="url"
                spellCheck={false}
                onChange={({ currentTarget }) => change('groupAUrl', currentTarget.value)}
                {...at('groupAUrl')}
              />
              <SecretField
                {...secret('accessToken')}
                label={t('fields.accessToken')}
                note={t('fields.accessTokenNote')}
              />
            </Section>
            <Section title={t('fields.groupB')} note={t('fields.groupBNote')}>
              <TextInput
                label={t('fields.groupBUrl')}
                description={t('fields.groupBUrlNote')}
                value={draft.groupBUrl}
                inputMode="url"
                spellCheck={false}
                onChange={({ currentTarget }) => change('groupBUrl', currentTarget.value)}
                {...at('groupBUrl')}
              />
              <SecretField {...secret('apiKey')} label={t('fields.apiKey')} note={t('fields.apiKeyNote')} />
              <Switch
                label={t('fields.doubledSlash')}
                description={t('fields.doubledSlashNote')}
                checked={draft.doubledSlash}
                onChange={({ currentTarget }) => change('doubledSlash', currentTarget.checked)}
              />
            </Section>
            <Section title={t('fields.paths')} note={t('fields.pathsNote')}>
              <TextInput
                label={t('fields.pathWord')}
                value={draft.pathWord}
                spellCheck={false}
                className={classes.short}
                onChange={({ currentTarget }) => change('pathWord', currentTarget.value)}
                {...at('pathWord')}
              />
            </Section>
            <StreamFields stream={draft.stream} at={at} onChange={(stream) => change('stream', stream)} />
            <Section title={t('fields.prices')} note={t('fields.pricesNote')}>
              <div className={classes.row}>
                <TextInput
                  label={t('fields.currency')}
                  value={draft.prices.currency}
                  maxLength={3}
                  spellCheck={false}
                  onChange={({ currentTarget }) =>
                    change('prices', { ...draft.prices, currency: currentTarget.value.toUpperCase() })
                  }
                  {...at('prices.currency')}
                />
                {(['perSecond', 'perFrame', 'perModel'] as const).map((per) => (
                  <Amount
                    key={per}
                    label={t(`fields.${per}`)}
                    value={draft.prices[per]}
                    onChange={(value) => change('prices', { ...draft.prices, [per]: value ?? 0 })}
                    {...at(`prices.${per}`)}
                  />
                ))}
              </div>
              <Amount
                label={t('fields.monthlyCap')}
                description={t('fields.monthlyCapNote')}
                placeholder={t('fields.noCap')}
                value={draft.monthlyCap}
                onChange={(value) => change('monthlyCap', value)}
                {...at('monthlyCap')}
              />
            </Section>
          </>
        )}

        <Section title={t('fields.pace')} note={t('fields.paceNote')}>
          <div className={classes.row}>
            <Amount
              label={t('fields.concurrency')}
              whole
              value={draft.concurrency}
              onChange={(value) => change('concurrency', value ?? 0)}
              {...at('concurrency')}
            />
            <Amount
              label={t('fields.requestsPerMinute')}
              description={t('fields.requestsPerMinuteNote')}
              whole
              value={draft.requestsPerMinute}
              onChange={(value) => change('requestsPerMinute', value ?? 0)}
              {...at('requestsPerMinute')}
            />
          </div>
          <div className={classes.row}>
            <Amount
              label={t('fields.pollLeast')}
              unit="s"
              value={draft.polling.least}
              onChange={(value) => change('polling', { ...draft.polling, least: value ?? 0 })}
              {...at('polling.least')}
            />
            <Amount
              label={t('fields.pollMost')}
              unit="s"
              value={draft.polling.most}
              onChange={(value) => change('polling', { ...draft.polling, most: value ?? 0 })}
              {...at('polling.most')}
            />
          </div>
          <p className={classes.remark}>{t('fields.pollNote')}</p>
        </Section>

        {!profile?.builtIn && (
          <Section title={t('fields.network')} note={t('fields.networkNote')}>
            <div className={classes.row}>
              <TextInput
                label={t('fields.proxyUrl')}
                description={t('fields.proxyUrlNote')}
                value={draft.proxyUrl}
                spellCheck={false}
                onChange={({ currentTarget }) => change('proxyUrl', currentTarget.value)}
                {...at('proxyUrl')}
              />
              <TextInput
                label={t('fields.proxyUser')}
                value={draft.proxyUser}
                spellCheck={false}
                autoComplete="off"
                onChange={({ currentTarget }) => change('proxyUser', currentTarget.value)}
                {...at('proxyUser')}
              />
            </div>
            <SecretField {...secret('proxyPassword')} label={t('fields.proxyPassword')} note="" />
            <Textarea
              label={t('fields.customCa')}
              description={t('fields.customCaNote')}
              value={draft.customCa}
              autosize
              minRows={2}
              maxRows={8}
              spellCheck={false}
              className={classes.pem}
              onChange={({ currentTarget }) => change('customCa', currentTarget.value)}
              {...at('customCa')}
            />
            <Textarea
              label={t('fields.clientCertificate')}
              value={draft.clientCertificate}
              autosize
              minRows={2}
              maxRows={8}
              spellCheck={false}
              className={classes.pem}
              onChange={({ currentTarget }) => change('clientCertificate', currentTarget.value)}
              {...at('clientCertificate')}
            />
            <SecretField
              {...secret('clientKey')}
              label={t('fields.clientKey')}
              note={t('fields.clientKeyNote')}
              tall
            />
            <p className={classes.remark}>{t('secret.writeOnly')}</p>
          </Section>
        )}
      </Page>

      {(dirty || !profile) && (
        <div className={classes.bar}>
          <Button type="submit" loading={busy}>
            {profile ? t('connections.save') : t('connections.create')}
          </Button>
          <Button variant="subtle" color="gray" onClick={revert}>
            {profile ? t('connections.revert') : t('app:actions.cancel')}
          </Button>
          <span className={classes.barText} role="status" data-bad={count > 0 || undefined}>
            {count > 0 ? t('connections.fix', { count }) : t('connections.unsaved')}
          </span>
        </div>
      )}
      <Confirm
        opened={deleting}
        title={t('connections.deleteTitle', { name })}
        text={t('connections.deleteText')}
        action={t('connections.delete')}
        onConfirm={async () => {
          await studio.connections.remove({ id });
          dropDraft(id);
          tell({ level: 'success', title: t('connections.deleted', { name }), text: '' });
          go('settings', 'connections');
        }}
        onClose={() => setDeleting(false)}
      />
    </form>
  );
}

function More(props: { profile: Profile; onDelete: () => void; onDuplicated: (copy: Profile) => void }) {
  const { t } = useTranslation(['settings', 'app']);
  const { id, builtIn } = props.profile;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={t('connections.more')}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconCopy size={15} />}
          onClick={() => attempt(async () => props.onDuplicated(await studio.connections.duplicate({ id })))}
        >
          {t('connections.duplicate')}
        </Menu.Item>
        {!builtIn && (
          <>
            <Menu.Item
              leftSection={<IconDownload size={15} />}
              onClick={() =>
                attempt(async () => download(await studio.connections.exportProfiles({ ids: [id] })))
              }
            >
              {t('connections.exportOne')}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item color="crimson" leftSection={<IconTrash size={15} />} onClick={props.onDelete}>
              {t('connections.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** A number that may be empty while it is typed; empty means null. */
function Amount(props: {
  label: string;
  description?: string;
  placeholder?: string;
  unit?: string;
  whole?: boolean;
  value: number | null;
  error: string | undefined;
  'data-field': string;
  onChange: (value: number | null) => void;
}) {
  const { unit, whole, value, onChange, ...rest } = props;
  return (
    <NumberInput
      {...rest}
      value={value ?? ''}
      onChange={(next) => onChange(typeof next === 'number' ? next : next === '' ? null : Number(next))}
      allowDecimal={!whole}
      allowNegative={false}
      decimalScale={6}
      hideControls
      suffix={unit ? ` ${unit}` : ''}
      className={classes.number}
    />
  );
}
