import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput } from '#contract';
import { attempt, notifyFailure } from '../../base/notices.tsx';
import { go, useRoute } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { Callout } from '../../ui/Callout.tsx';
import classes from './Journal.module.css';

type VerificationResult = CallOutput<'journal', 'verify'>;

/** Whether the journal is as it was written: asked by the button, or by the address `activity/journal/verify`. */
export function useVerification(): {
  result: VerificationResult | undefined;
  running: boolean;
  verify: () => void;
  forget: () => void;
} {
  const [result, setResult] = useState<VerificationResult | 'running'>();
  const verify = (): void =>
    attempt(async () => {
      setResult('running');
      try {
        setResult(await studio.journal.verify());
      } catch (thrown) {
        setResult(undefined);
        notifyFailure(thrown);
      }
    });
  const askedToVerify = useRoute().rest[1] === 'verify';
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for by the address
  useEffect(() => {
    if (!askedToVerify) return;
    verify();
    go('activity', 'journal');
  }, [askedToVerify]);
  const running = result === 'running';
  return {
    result: running ? undefined : result,
    running,
    verify,
    forget: () => setResult(undefined),
  };
}

export function VerificationCallout({
  result,
  onClose,
}: {
  result: VerificationResult;
  onClose: () => void;
}) {
  const { t } = useTranslation(['activity', 'app']);
  const figures = useFigures();
  return (
    <div className={classes.verdict}>
      <Callout
        tone={result.ok ? 'good' : 'bad'}
        title={result.ok ? t('journal.intact') : t('journal.broken')}
        action={
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('app:actions.close')}
          </Button>
        }
      >
        {worded(result.detail)}{' '}
        {result.firstBroken !== null &&
          t('journal.brokenAt', { sequence: figures.number(result.firstBroken) })}
      </Callout>
    </div>
  );
}
