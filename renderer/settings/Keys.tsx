import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyStoreState } from '#contract';
import { attempt, notify } from '../base/notices.tsx';
import { unlockOpen } from '../base/overlays.ts';
import { asFailure, studio } from '../base/studio.ts';
import { queryClient, useKeyStore } from '../base/studio-queries.ts';
import { useFigures } from '../base/text/number-format.ts';
import { worded } from '../base/text/sentence-text.ts';
import { Callout } from '../ui/Callout.tsx';
import { Confirm } from '../ui/dialogs/Confirm.tsx';
import { Facts } from '../ui/Facts.tsx';
import { Section } from '../ui/Section.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import classes from './Keys.module.css';
import { Page } from './Page.tsx';

const put = (state: KeyStoreState): void => {
  queryClient.setQueryData(['key-store'], state);
};

export function Keys() {
  const { t } = useTranslation(['settings', 'app']);
  const { dateTime } = useFigures();
  const store = useKeyStore().data;
  const [startingOver, setStartingOver] = useState(false);
  if (!store) return null;
  return (
    <Page title={t('sections.keys')} intro={t('keys.intro')}>
      <Stack gap="sm">
        {store.damaged.length > 0 && (
          <Callout tone="bad" title={t('keys.damagedTitle')}>
            {t('keys.damagedText')}
            <ul className={classes.damaged}>
              {store.damaged.map(({ fileName, reason, at }) => (
                <li key={fileName}>
                  <code>{fileName}</code> · {dateTime(at)} · {worded(reason)}
                </li>
              ))}
            </ul>
          </Callout>
        )}
        {store.locked && (
          <Callout
            tone="warn"
            title={t('keys.unlockTitle')}
            action={
              <Group gap="xs">
                <Button variant="default" onClick={() => setStartingOver(true)}>
                  {t('keys.forgotten')}
                </Button>
                <Button onClick={() => unlockOpen.set(true)}>{t('keys.unlock')}</Button>
              </Group>
            }
          >
            {t('keys.unlockText')}
          </Callout>
        )}
        {store.needsChoice && (
          <Callout tone="warn" title={t('keys.choiceTitle')}>
            {store.backend === 'none'
              ? t('keys.choiceNone')
              : t('keys.choiceText', { backend: store.backend })}
          </Callout>
        )}
      </Stack>
      <Confirm
        opened={startingOver}
        title={t('keys.startOverTitle')}
        text={t('keys.startOverText')}
        action={t('keys.startOver')}
        onConfirm={async () => put(await studio.connections.startOver())}
        onClose={() => setStartingOver(false)}
      />
      <Section title={t('keys.state')}>
        <Facts
          facts={[
            [t('keys.keptBy'), t(`keys.protection.${store.protection}`)],
            [t('keys.backend'), store.backend === 'none' ? t('keys.noBackend') : store.backend],
            [
              t('keys.state'),
              <Group key="state" gap={8}>
                <StateDot tone={store.locked || store.needsChoice ? 'warn' : 'good'} />
                {store.locked
                  ? t('keys.locked')
                  : store.needsChoice
                    ? t('app:status.keysChoice')
                    : t('keys.open')}
              </Group>,
            ],
          ]}
        />
      </Section>
      {!store.locked && (
        <>
          <Protect
            title={
              store.needsChoice
                ? t('keys.withPassphrase')
                : store.protection === 'passphrase'
                  ? t('keys.changeTitle')
                  : t('keys.protectTitle')
            }
            note={`${store.needsChoice ? t('keys.withPassphraseText') : ''} ${t('keys.protectText')}`.trim()}
          />
          {store.needsChoice && (
            <Section title={t('keys.thisRun')} note={t('keys.thisRunText')}>
              <div>
                <Button
                  variant="default"
                  onClick={() =>
                    attempt(async () => {
                      put(await studio.connections.keepForThisRun());
                      notify({ level: 'success', title: t('keys.keptForRun'), text: '' });
                    })
                  }
                >
                  {t('keys.thisRunAction')}
                </Button>
              </div>
            </Section>
          )}
        </>
      )}
    </Page>
  );
}

/** Uncontrolled fields: a passphrase must not become an attribute of the page. */
function Protect({ title, note }: { title: string; note: string }) {
  const { t } = useTranslation(['settings', 'app']);
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<{ first?: string; second?: string }>({});
  const [busy, setBusy] = useState(false);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const passphrase = first.current?.value ?? '';
    const short = passphrase.length < 8;
    const differs = !short && passphrase !== second.current?.value;
    setProblem({
      ...(short ? { first: t('problems.passphrase') } : {}),
      ...(differs ? { second: t('problems.repeat') } : {}),
    });
    if (short || differs) return;
    setBusy(true);
    studio.connections
      .protectWithPassphrase({ passphrase })
      .then(
        (state) => {
          put(state);
          for (const field of [first, second]) if (field.current) field.current.value = '';
          notify({ level: 'success', title: t('keys.protected'), text: '' });
        },
        (thrown: unknown) => setProblem({ first: asFailure(thrown).message }),
      )
      .finally(() => setBusy(false));
  };

  const eye = { 'aria-label': t('app:actions.show') };
  return (
    <Section title={title} note={note}>
      <form onSubmit={submit} className={classes.form}>
        <PasswordInput
          ref={first}
          label={t('keys.passphrase')}
          error={problem.first}
          autoComplete="new-password"
          visibilityToggleButtonProps={eye}
        />
        <PasswordInput
          ref={second}
          label={t('keys.repeat')}
          error={problem.second}
          autoComplete="new-password"
          visibilityToggleButtonProps={eye}
        />
        <div>
          <Button type="submit" loading={busy}>
            {t('keys.protect')}
          </Button>
        </div>
      </form>
    </Section>
  );
}
