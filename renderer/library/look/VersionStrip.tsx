import { Button } from '@mantine/core';
import { IconColumns2, IconUserQuestion } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job, Model } from '#contract';
import { attempt, withdrawUndo } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { isOpen } from '../../portraits/queue/job-state.ts';
import { useOptionWords } from '../again/option-words.ts';
import { removed } from '../edits.ts';
import classes from './Look.module.css';
import { hideShown, show, useShown, type Version, versionsOf } from './look-state.ts';

/** The head’s versions, newest first. A click shows one beside the present one, Enter makes it the head. */
export function VersionStrip({ model, job }: { model: Model; job: Job | undefined }) {
  const { t } = useTranslation('library');
  const { id } = model;
  const versions = versionsOf(model);
  const shown = useShown(model);
  const earlier = versions.find((version) => version.id !== null);
  const isMaking = job !== undefined && isOpen(job);
  const choose = (version: Version): void => {
    if (version.id === null) hideShown(id);
    else show(id, { before: version.id, isNew: false });
  };
  const remove = (version: string, number: number): void => {
    hideShown(id);
    attempt(() => removed(studio.library.removeEarlier({ id, version }), t('headLook.version', { number })));
  };
  const onKey = (event: KeyboardEvent, version: Version): void => {
    if (version.id === null) return;
    if (event.key === 'Enter') attempt(() => bringBack(id, version.id ?? ''));
    else if (event.key === 'Delete') remove(version.id, version.number);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const selected = shown?.before ?? undefined;
  return (
    <section className={classes.strip} aria-label={t('headLook.versions')}>
      <ol>
        {isMaking && (
          <li className={classes.version} data-making>
            <span className={classes.thumb} aria-hidden>
              {Math.round(100 * job.progress)} %
            </span>
            <span>{t('headLook.version', { number: versions.length + 1 })}</span>
          </li>
        )}
        {versions.map((version) => (
          <li key={version.id ?? 'present'}>
            <Tile
              version={version}
              isSelected={version.id === selected}
              onChoose={() => choose(version)}
              onKey={(event) => onKey(event, version)}
            />
          </li>
        ))}
      </ol>
      {selected !== undefined && (
        <Button variant="default" onClick={() => attempt(() => bringBack(id, selected))}>
          {t('headLook.makeHead')}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconColumns2 size={16} />}
        disabled={!earlier}
        aria-pressed={selected !== undefined}
        onClick={() =>
          selected === undefined && earlier
            ? show(id, { before: earlier.id, split: 0.5, isNew: false })
            : hideShown(id)
        }
      >
        {t('headLook.compareTwo')}
      </Button>
    </section>
  );
}

async function bringBack(id: string, version: string): Promise<void> {
  withdrawUndo('library');
  await studio.library.bringBack({ id, version });
  hideShown(id);
}

function Tile(props: {
  version: Version;
  isSelected: boolean;
  onChoose: () => void;
  onKey: (event: KeyboardEvent) => void;
}) {
  const { t } = useTranslation('library');
  const figures = useFigures();
  const optionWords = useOptionWords();
  const { version, isSelected, onChoose, onKey } = props;
  const [isMissing, setMissing] = useState(false);
  const name = t('headLook.version', { number: version.number });
  const isPresent = version.id === null;
  const about = [figures.dateTime(version.madeAt), ...optionWords(version.options)].join(' · ');
  return (
    <button
      type="button"
      className={classes.version}
      title={isPresent ? about : `${about}\n${t('headLook.versionKeys')}`}
      aria-label={isPresent ? t('headLook.presentVersion', { name }) : name}
      aria-pressed={isPresent ? undefined : isSelected}
      data-present={isPresent || undefined}
      data-selected={isSelected || undefined}
      onClick={onChoose}
      onKeyDown={onKey}
    >
      <span className={classes.thumb}>
        {isMissing ? (
          <IconUserQuestion size={24} stroke={1.3} aria-hidden />
        ) : (
          <img src={version.thumbnail} alt="" onError={() => setMissing(true)} />
        )}
      </span>
      <span>{name}</span>
    </button>
  );
}
