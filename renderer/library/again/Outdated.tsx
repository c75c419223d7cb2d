import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Model } from '#contract';
import { createStore } from '../../base/store.ts';
import { Callout } from '../../ui/Callout.tsx';
import { useOutdated } from '../library-queries.ts';
import { searchAfresh } from '../model-list.ts';
import { MakeAgainDialog } from './MakeAgainDialog.tsx';
import classes from './Outdated.module.css';

/** That an older engine made this head, and that it can be made again. */
export function OutdatedHead({ model }: { model: Model }) {
  const { t } = useTranslation('library');
  const { data } = useOutdated();
  const [asked, setAsked] = useState(false);
  if (!model.outdated || !data || model.trashedAt !== null) return null;
  return (
    <div className={classes.note}>
      <Callout
        tone="info"
        title={t('outdated.head', { engine: model.engine, now: data.engine })}
        action={
          model.hasPortrait && (
            <Button variant="default" onClick={() => setAsked(true)}>
              {t('outdated.make')}
            </Button>
          )
        }
      />
      {asked && (
        <MakeAgainDialog
          selection={{ ids: [model.id] }}
          count={1}
          model={model}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  );
}

/** The engine for which the person said “not now”, until the studio is opened anew. */
const putOff = createStore('');

/** How many heads older engines made: all of them at once, or a look at them first. */
export function OutdatedHeads() {
  const { t } = useTranslation('library');
  const { data } = useOutdated();
  const later = putOff.use();
  const [asked, setAsked] = useState(false);
  if (!data || data.count === 0 || later === data.engine) return null;
  return (
    <div className={classes.note}>
      <Callout
        tone="info"
        title={t('outdated.heads', { count: data.count, now: data.engine })}
        action={
          <div className={classes.answers}>
            <Button variant="default" onClick={() => setAsked(true)}>
              {t('outdated.makeAll')}
            </Button>
            <Button variant="default" onClick={() => searchAfresh({ outdated: true })}>
              {t('outdated.show')}
            </Button>
            <Button variant="subtle" onClick={() => putOff.set(data.engine)}>
              {t('outdated.later')}
            </Button>
          </div>
        }
      />
      {asked && (
        <MakeAgainDialog
          selection={{ query: { outdated: true } }}
          count={data.count}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  );
}
