import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import { worded } from '../base/text/sentence-text.ts';
import { Callout } from '../ui/Callout.tsx';
import classes from './Takes.module.css';
import { revealTake, useTrashTake } from './take-actions.ts';

/** A take that can't be read: why, and what there is to do with it. */
export function DamagedTake({ take }: { take: Take }) {
  const { t } = useTranslation('takes');
  const trash = useTrashTake(take);
  return (
    <section className={classes.alone} aria-label={take.name}>
      <Callout tone="bad" title={t('unreadable')}>
        {worded(take.damaged)}
      </Callout>
      <Group>
        <Button variant="default" onClick={() => revealTake(take.id)}>
          {t('reveal')}
        </Button>
        <Button variant="default" onClick={trash}>
          {t('trash')}
        </Button>
      </Group>
    </section>
  );
}
