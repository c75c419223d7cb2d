import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput } from '#contract';
import { attempt, tellFailure } from '../../base/notices.tsx';
import { go, useRoute } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { Callout } from '../../ui/Callout.tsx';
import classes from './Journal.module.css';

type Verdict = CallOutput<'journal', 'verify'>;

/** Whether the journal is as it was written: asked by the button, or by the address `activity/journal/verify`. */
export function useVerification(): {
  verdict: Verdict | undefined;
  running: boolean;
  verify: () => void;
  forget: () => void;
} {
  const [verdict, setVerdict] = useState<Verdict | 'running'>();
  const verify = (): void =>
    attempt(async () => {
      setVerdict('running');
      try {
        setVerdict(await studio.journal.verify());
      } catch (thrown) {
        setVerdict(undefined);
        tellFailure(thrown);
      }
    });
  const askedToVerify = useRoute().rest[1] === 'verify';
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for by the address
  useEffect(() => {
    if (!askedToVerify) return;
    verify();
    go('activity', 'journal');
  }, [askedToVerify]);
  const running = verdict === 'running';
  return {
    verdict: running ? undefined : verdict,
    running,
    verify,
    forget: () => setVerdict(undefined),
  };
}

export function VerdictCallout({ verdict, onClose }: { verdict: Verdict; onClose: () => void }) {
  const { t } = useTranslation(['activity', 'app']);
  const figures = useFigures();
  return (
    <div className={classes.verdict}>
      <Callout
        tone={verdict.ok ? 'good' : 'bad'}
        title={verdict.ok ? t('journal.intact') : t('journal.broken')}
        action={
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('app:actions.close')}
          </Button>
        }
      >
        {worded(verdict.detail)}{' '}
        {verdict.firstBroken !== null &&
          t('journal.brokenAt', { sequence: figures.number(verdict.firstBroken) })}
      </Callout>
    </div>
  );
}
