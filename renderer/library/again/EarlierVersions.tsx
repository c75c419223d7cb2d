import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EarlierVersion, Model } from '#contract';
import { attempt, offer } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { Confirm } from '../../ui/dialogs/Confirm.tsx';
import classes from './EarlierVersions.module.css';
import { useOptionWords } from './option-words.ts';

/** The files that a head had before it was made again: each can come back, or go. */
export function EarlierVersions({ model }: { model: Model }) {
  const { t } = useTranslation('library');
  const figures = useFigures();
  const optionWords = useOptionWords();
  const [going, setGoing] = useState<EarlierVersion>();
  if (model.earlier.length === 0) return null;
  const { id } = model;
  const bringBack = (version: EarlierVersion): void =>
    attempt(async () => {
      const now = await studio.library.bringBack({ id, version: version.id });
      const before = now.earlier[0];
      offer(
        { title: t('earlier.back', { when: figures.dateTime(version.madeAt) }) },
        t('earlier.undo'),
        () => {
          if (before) attempt(() => studio.library.bringBack({ id, version: before.id }));
        },
      );
    });
  return (
    <section aria-labelledby="earlier" className={classes.earlier}>
      <h2 id="earlier" className={classes.title}>
        {t('earlier.title')}
      </h2>
      <ul>
        {model.earlier.map((version) => {
          const when = figures.dateTime(version.madeAt);
          const by = version.engine || version.profileName;
          return (
            <li key={version.id} className={classes.version}>
              <div>
                <p>{when}</p>
                <p className={classes.quiet}>
                  {[
                    by && t('earlier.by', { engine: by }),
                    figures.bytes(version.bytes),
                    ...optionWords(version.options),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </div>
              <Button
                variant="default"
                aria-label={t('earlier.bringBackOf', { when })}
                onClick={() => bringBack(version)}
              >
                {t('earlier.bringBack')}
              </Button>
              <Button
                variant="default"
                aria-label={t('earlier.removeOf', { when })}
                onClick={() => setGoing(version)}
              >
                {t('earlier.remove')}
              </Button>
            </li>
          );
        })}
      </ul>
      <Confirm
        opened={going !== undefined}
        title={t('earlier.removeTitle')}
        text={t('earlier.removeText')}
        action={t('earlier.remove')}
        onConfirm={async () => going && studio.library.removeEarlier({ id, version: going.id })}
        onClose={() => setGoing(undefined)}
      />
    </section>
  );
}
