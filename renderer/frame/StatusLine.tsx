import { Tooltip, UnstyledButton } from '@mantine/core';
import { IconCoins, IconGauge, IconKeyboard, IconLockExclamation, IconRefreshDot } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Profile } from '#contract';
import { latencyTargetMs } from '#contract/constants.ts';
import { studioIsLost } from '../base/connection.ts';
import { liveProfileId } from '../base/live-activity.ts';
import { address, usePage } from '../base/route.ts';
import { useKeyNames, withKey } from '../base/shortcuts/shortcuts.ts';
import {
  monthOf,
  useEngine,
  useKeyStore,
  useLatency,
  useProfiles,
  useUpdates,
  useUsage,
} from '../base/studio-queries.ts';
import { useFigures } from '../base/text/number-format.ts';
import { profileName } from '../base/text/profile-name.ts';
import { StateDot, type Tone } from '../ui/StateDot.tsx';
import { Jobs } from './jobs/Jobs.tsx';
import classes from './StatusLine.module.css';

/** Connection, jobs, and what servers need: latency, cost, keys. Each part leads to where there is more. */
export function StatusLine({ onShortcuts }: { onShortcuts: () => void }) {
  const { t } = useTranslation();
  const isLost = studioIsLost.use();
  const keyOf = useKeyNames();
  return (
    <footer className={classes.line}>
      {isLost ? (
        // Nothing that was known of connection, queue and cost is known to hold.
        <span className={classes.part} role="status">
          <StateDot tone="bad" /> {t('status.offline')}
        </span>
      ) : (
        <>
          <LiveIndicator />
          <Connection />
          <Jobs />
          <ServerParts />
          <Keys />
          <NewVersion />
        </>
      )}
      <span className={classes.space} />
      <Tooltip label={withKey(t('status.shortcuts'), keyOf('studio.shortcuts'))}>
        <UnstyledButton className={classes.part} aria-label={t('status.shortcuts')} onClick={onShortcuts}>
          <IconKeyboard size={15} stroke={1.6} aria-hidden />
        </UnstyledButton>
      </Tooltip>
    </footer>
  );
}

function Part({ href, label, children }: { href: string; label: string; children: ReactNode }) {
  return (
    <Tooltip label={label}>
      <a className={classes.part} href={href}>
        {children}
      </a>
    </Tooltip>
  );
}

/** A connection's state without a call to it; no text while the state is unknown. */
function useProfileStatus(profile: Profile | undefined): [Tone, string] {
  const { t } = useTranslation();
  const engine = useEngine().data;
  const keyStore = useKeyStore().data;
  if (profile?.builtIn) {
    if (!engine) return ['idle', ''];
    const { state } = engine;
    const tone = {
      stopped: 'idle',
      starting: 'busy',
      running: 'good',
      unresponsive: 'warn',
      failed: 'bad',
    } as const;
    return [tone[state], t(`status.engine.${state}`)];
  }
  if (!profile?.groupAUrl && !profile?.groupBUrl) return ['warn', t('status.notSet')];
  if (keyStore?.locked) return ['warn', t('status.keysLocked')];
  const secrets = [
    profile.groupAUrl && profile.secrets.accessToken,
    profile.groupBUrl && profile.secrets.apiKey,
  ].filter((secret) => secret !== '' && !secret.configured);
  if (secrets.length === 0) return ['good', t('status.ready')];
  const isElsewhere = secrets.some((secret) => secret !== '' && secret.boundElsewhere);
  return ['warn', isElsewhere ? t('status.keyElsewhere') : t('status.keyMissing')];
}

/** A microphone that is open while Live is not on the screen: seen, and one click from where it is closed. */
function LiveIndicator() {
  const { t } = useTranslation();
  const page = usePage();
  if (liveProfileId.use() === null || page === 'live') return null;
  return (
    <Part href={address('live')} label={t('status.liveSessionLabel')}>
      <StateDot tone="bad" />
      {t('status.liveSession')}
    </Part>
  );
}

function Connection() {
  const { t } = useTranslation();
  const profiles = useProfiles();
  const profile = profiles.data?.find(({ isDefault }) => isDefault);
  const [tone, state] = useProfileStatus(profile);
  if (profiles.isError)
    return (
      <span className={classes.part} role="status">
        <StateDot tone="bad" /> {t('status.offline')}
      </span>
    );
  if (!profile) return null;
  const name = profileName(t, profile);
  const label = state ? t('status.connectionIs', { name, state }) : t('status.connectionOpen', { name });
  return (
    <Part href={address('settings', 'connections', profile.id)} label={label}>
      <StateDot tone={tone} />
      <span className={classes.name}>{name}</span>
      <span className={classes.quiet}>{state}</span>
    </Part>
  );
}

/** Response times and cost. People of the built-in engine have no server and no bill to watch. */
function ServerParts() {
  const hasServer = useProfiles().data?.some(({ builtIn }) => !builtIn);
  return (
    hasServer && (
      <>
        <LatencyPart />
        <UsagePart />
      </>
    )
  );
}

/**
 * Below this many calls a 95th percentile is the slowest one of
 * them: of one slow start, not of the connection.
 */
const fewCalls = 20;

/**
 * The connection's response time. It is not the latency while speaking, which Live shows; its label says so.
 * A handful of calls gets no rating.
 */
function LatencyPart() {
  const { t } = useTranslation();
  const figures = useFigures();
  const { data } = useLatency(1);
  if (!data) return null;
  const enough = data.operations.filter(({ count }) => count >= fewCalls);
  const slowest = enough.reduce((max, { p95 }) => Math.max(max, p95), 0);
  const isLate = slowest > latencyTargetMs;
  return (
    <Part
      href={address('activity', 'latency')}
      label={t(isLate ? 'status.latencyLateLabel' : slowest ? 'status.latencyLabel' : 'status.latencyOpen')}
    >
      <IconGauge size={15} stroke={1.6} aria-hidden />
      {slowest ? (
        <span className={isLate ? classes.warn : undefined}>
          {t('status.latency', { ms: figures.milliseconds(slowest) })}
        </span>
      ) : (
        <span className={classes.quiet}>
          {data.operations.length > 0 ? t('status.latencyFew') : t('status.latencyNone')}
        </span>
      )}
    </Part>
  );
}

function UsagePart() {
  const { t } = useTranslation();
  const figures = useFigures();
  const { data } = useUsage(monthOf(new Date()));
  // Sums of different currencies are shown side by side: adding them would invent a rate.
  const sums = new Map<string, number>();
  for (const { currency, cost } of data?.profiles ?? []) sums.set(currency, (sums.get(currency) ?? 0) + cost);
  const spent = [...sums].filter(([, cost]) => cost > 0);
  const shown = spent.length > 0 ? spent : [...sums].slice(0, 1);
  const cost = shown.map(([currency, amount]) => figures.money(amount, currency)).join(' + ');
  const nearCap = data?.profiles.some(
    ({ cost: sum, monthlyCap }) => monthlyCap !== null && sum >= 0.8 * monthlyCap && sum > 0,
  );
  if (!cost) return null;
  return (
    <Part href={address('activity', 'usage')} label={t('status.usageLabel')}>
      <IconCoins size={15} stroke={1.6} aria-hidden />
      <span className={nearCap ? classes.warn : spent.length === 0 ? classes.quiet : undefined}>
        {t('status.usage', { cost })}
      </span>
    </Part>
  );
}

/** A newer version, or quietly that nobody answered; the settings say it plainly. */
function NewVersion() {
  const { t } = useTranslation();
  const figures = useFigures();
  const updates = useUpdates().data;
  if (!updates || updates.unavailable) return null;
  const { stage, version, fraction, waitsFor, problem } = updates;
  const text =
    stage === 'found' || stage === 'ready'
      ? t(`status.updates.${stage}`, { version })
      : stage === 'downloading'
        ? t(waitsFor ? 'status.updates.waits' : 'status.updates.downloading', {
            version,
            percent: figures.percent(fraction),
          })
        : problem && t('status.updates.problem');
  if (!text) return null;
  return (
    <Part href={address('settings', 'updates')} label={t('status.updates.label')}>
      <IconRefreshDot size={15} stroke={1.6} aria-hidden />
      <span className={problem ? classes.quiet : undefined}>{text}</span>
    </Part>
  );
}

/** Said once it keeps somebody from something: who uses the built-in engine alone has no key to keep. */
function Keys() {
  const { t } = useTranslation();
  const { data } = useKeyStore();
  const wanted = useProfiles().data?.some(({ builtIn }) => !builtIn);
  if (!data?.locked && !(data?.needsChoice && wanted)) return null;
  const text = data.locked ? t('status.keysLocked') : t('status.keysChoice');
  return (
    <Part
      href={address('settings', 'keys')}
      label={data.locked ? t('status.keysLockedLabel') : t('status.keysChoiceLabel')}
    >
      <span className={classes.warn}>
        <IconLockExclamation size={15} stroke={1.6} aria-hidden /> {text}
      </span>
    </Part>
  );
}
