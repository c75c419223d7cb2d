import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { StudioFailure } from '../../base/studio.ts';
import { Callout } from '../Callout.tsx';

/** A list that could not be fetched: why, and the way to ask again. */
export function ListFailure({ failure, onRetry }: { failure: StudioFailure; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <Callout
      tone="bad"
      title={failure.message}
      action={
        <Button variant="default" onClick={onRetry}>
          {t('actions.retry')}
        </Button>
      }
    >
      {failure.hint}
    </Callout>
  );
}
