import { Button, CopyButton, Group, NumberInput, Switch, Text } from '@mantine/core';
import { IconCopy, IconKey, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EngineStatus } from '#contract';
import { attempt, notify } from '../base/notices.tsx';
import { studio } from '../base/studio.ts';
import { useEngine } from '../base/studio-queries.ts';
import { useFigures } from '../base/text/number-format.ts';
import { worded } from '../base/text/sentence-text.ts';
import { Callout } from '../ui/Callout.tsx';
import { Confirm } from '../ui/dialogs/Confirm.tsx';
import { Facts } from '../ui/Facts.tsx';
import { Section } from '../ui/Section.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import { Page } from './Page.tsx';

const tones = {
  stopped: 'idle',
  starting: 'busy',
  running: 'good',
  unresponsive: 'warn',
  failed: 'bad',
} as const;

export function Engine() {
  const { t } = useTranslation(['settings', 'app']);
  const { number } = useFigures();
  const engine = useEngine().data;
  const [asking, setAsking] = useState(false);
  if (!engine) return null;
  const jobs = engine.queued + engine.running;
  const restart = (): Promise<EngineStatus> => studio.engine.restart();
  return (
    <Page
      title={t('sections.engine')}
      intro={t('engine.intro')}
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={engine.state === 'starting'}
          onClick={() => (jobs > 0 ? setAsking(true) : attempt(restart))}
        >
          {t('engine.restart')}
        </Button>
      }
    >
      {(engine.state === 'failed' || engine.state === 'unresponsive') && (
        <Callout tone={engine.state === 'failed' ? 'bad' : 'warn'} title={t(`engine.states.${engine.state}`)}>
          {worded(engine.message)}
        </Callout>
      )}
      <Section
        title={t('engine.state')}
        note={engine.state === 'stopped' ? t('engine.stoppedNote') : undefined}
      >
        <Facts
          facts={[
            [
              t('engine.state'),
              <Group key="state" gap={8}>
                <StateDot tone={tones[engine.state]} />
                {t(`engine.states.${engine.state}`)}
              </Group>,
            ],
            [
              t('engine.queue'),
              t('engine.queueValue', { running: number(engine.running), queued: number(engine.queued) }),
            ],
            [t('engine.restarts'), number(engine.restarts)],
          ]}
        />
      </Section>
      <External engine={engine} />
      <Confirm
        opened={asking}
        title={t('engine.restartTitle')}
        text={t('engine.restartText', { count: jobs })}
        action={t('engine.restart')}
        onConfirm={restart}
        onClose={() => setAsking(false)}
      />
    </Page>
  );
}

const isPort = (value: number | string): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1024 && value <= 65_535;

function External({ engine: { external } }: { engine: EngineStatus }) {
  const { t } = useTranslation(['settings', 'app']);
  const [port, setPort] = useState<number | string>(external.port);
  const [renewing, setRenewing] = useState(false);
  const usable = isPort(port);

  const revealSecret = async (): Promise<void> => {
    const { to } = await studio.engine.revealExternalKey();
    notify({
      level: 'success',
      title: to === 'clipboard' ? t('engine.keyCopied') : t('engine.keyInTerminal'),
      text: '',
    });
  };

  return (
    <Section title={t('engine.external')} note={t('engine.externalNote')}>
      <Switch
        aria-label={t('engine.external')}
        label={external.enabled ? t('general.on') : t('general.off')}
        checked={external.enabled}
        disabled={!usable && !external.enabled}
        onChange={({ currentTarget: { checked } }) =>
          attempt(() => studio.engine.setExternal({ enabled: checked, port: usable ? port : external.port }))
        }
      />
      <Group align="flex-end" gap="xs">
        <NumberInput
          label={t('engine.port')}
          value={port}
          onChange={setPort}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator={false}
          hideControls
          w={130}
          error={usable ? undefined : t('problems.port')}
        />
        {external.enabled && usable && port !== external.port && (
          <Button
            variant="default"
            onClick={() => attempt(() => studio.engine.setExternal({ enabled: true, port }))}
          >
            {t('engine.applyPort')}
          </Button>
        )}
      </Group>
      {external.enabled && (
        <>
          <Facts
            facts={[
              [t('engine.url'), external.url],
              [t('engine.key'), t('engine.keyEnding', { lastFour: external.keyLastFour })],
            ]}
          />
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<IconKey size={15} />}
              onClick={() => attempt(revealSecret)}
            >
              {t('engine.copyKey')}
            </Button>
            <CopyButton value={external.url}>
              {({ copied, copy }) => (
                <Button variant="default" leftSection={<IconCopy size={15} />} onClick={copy}>
                  {copied ? t('engine.urlCopied') : t('engine.copyUrl')}
                </Button>
              )}
            </CopyButton>
            <Button variant="subtle" color="gray" onClick={() => setRenewing(true)}>
              {t('engine.renew')}
            </Button>
          </Group>
          <Text size="xs" c="dimmed">
            {t('engine.openapi', { url: `${external.url}/openapi.json` })}
          </Text>
        </>
      )}
      <Confirm
        opened={renewing}
        title={t('engine.renewTitle')}
        text={t('engine.renewText')}
        action={t('engine.renew')}
        onConfirm={async () => {
          await studio.engine.renewExternalKey();
          notify({ level: 'success', title: t('engine.renewed'), text: '' });
        }}
        onClose={() => setRenewing(false)}
      />
    </Section>
  );
}
