import { Button, Group } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { SuggestedPerson } from '#contract';
import { personSigns } from '#contract/constants.ts';
import { createStore } from '../../base/store.ts';
import { studio } from '../../base/studio.ts';
import { useBatchOverview } from '../../base/studio-queries.ts';
import { Callout } from '../../ui/Callout.tsx';
import { PhotoPicture } from '../PhotoPicture.tsx';
import classes from './PersonSuggestions.module.css';
import { makePeople } from './people-orders.ts';

/** Suggestions that were turned down, by their photos, for as long as the window is open. */
const turnedDown = createStore<ReadonlySet<string>>(new Set());
const keyOf = ({ ids }: SuggestedPerson): string => [...ids].sort().join();
const turnDown = (people: readonly SuggestedPerson[]): void =>
  turnedDown.set(new Set([...turnedDown.get(), ...people.map(keyOf)]));

/** Suggestions that are listed; the others follow when these are gone. */
const maxListed = 40;

/** Photos that the studio takes for those of one person: nothing is put together unless somebody says so. */
export function PersonSuggestions() {
  const { t } = useTranslation('portraits');
  const overview = useBatchOverview().data;
  const refused = turnedDown.use();
  const { photos = 0, checks, intake } = overview ?? {};
  const isStill = intake?.state !== 'running' && (checks?.pending ?? 0) === 0;
  const { data } = useQuery({
    queryKey: ['batch', 'suggestPeople', photos, overview?.undo],
    queryFn: () => studio.batch.suggestPeople({ by: [...personSigns] }),
    enabled: isStill && photos > 1,
  });
  const people = (isStill && photos > 1 ? (data?.people ?? []) : []).filter(
    (one) => !refused.has(keyOf(one)),
  );
  if (people.length === 0) return null;
  return (
    <div className={classes.note}>
      <Callout
        tone="info"
        title={t('people.suggested', { count: people.length })}
        action={
          <Group gap={6} wrap="nowrap">
            {people.length > 1 && (
              <Button variant="default" size="compact-sm" onClick={() => makePeople(people.map(asPerson))}>
                {t('people.all')}
              </Button>
            )}
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => turnDown(people)}>
              {t('people.no')}
            </Button>
          </Group>
        }
      >
        {t('people.suggestedText')}
        <details className={classes.details} open={people.length <= 3}>
          <summary>{t('people.which')}</summary>
          <ul className={classes.people}>
            {people.slice(0, maxListed).map((person) => (
              <Suggestion key={keyOf(person)} person={person} />
            ))}
          </ul>
        </details>
      </Callout>
    </div>
  );
}

const asPerson = ({ ids, name }: SuggestedPerson) => ({ ids, name });

function Suggestion({ person }: { person: SuggestedPerson }) {
  const { t } = useTranslation('portraits');
  const { ids, name, by, fileNames } = person;
  return (
    <li className={classes.one}>
      <span className={classes.pictures} aria-hidden>
        {ids.map((id) => (
          <PhotoPicture key={id} id={id} />
        ))}
      </span>
      <span className={classes.words}>
        <b>{name}</b>
        <span title={fileNames.join(', ')}>{t(`people.by.${by}`, { count: ids.length })}</span>
      </span>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconCheck size={14} />}
        aria-label={t('people.sameNamed', { name })}
        onClick={() => makePeople([asPerson(person)])}
      >
        {t('people.same')}
      </Button>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconX size={14} />}
        aria-label={t('people.noNamed', { name })}
        onClick={() => turnDown([person])}
      >
        {t('people.no')}
      </Button>
    </li>
  );
}
