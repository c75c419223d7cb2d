import { ActionIcon, Button, Menu, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDots, IconPlus, IconX } from '@tabler/icons-react';
import { memo, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelFacets, ModelQuery } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { attempt } from '../../base/notices.tsx';
import { useFigures } from '../../base/number-format.ts';
import { studio } from '../../base/studio.ts';
import { DayField } from '../../ui/DayField.tsx';
import { dayOf, daysAgo, endOf, startOf } from '../days.ts';
import { dropTarget } from '../dragged-heads.ts';
import { edit } from '../edits.ts';
import { useCollections, useFacets, useLibraries, useSavedSearches } from '../library-queries.ts';
import { isNarrowed, type ModelSelection, search, searchAfresh, typingPause } from '../model-list.ts';
import classes from './Facets.module.css';

/** What narrows the list: the shelves that a person made, and what the found ones are like, counted. */
export function Facets({ query }: { query: ModelQuery }) {
  // Counting is for the eye that has stopped typing; the list itself follows every key.
  const [settled] = useDebouncedValue(query, typingPause);
  const typing = sameQuery({ ...query, text: '' }, { ...settled, text: '' });
  return <SettledFacets query={typing ? settled : query} />;
}

const SettledFacets = memo(function SettledFacets({ query }: { query: ModelQuery }) {
  const { t } = useTranslation('library');
  const { t: frame } = useTranslation();
  const facets = useFacets(query).data;
  const libraries = useLibraries().data ?? [];
  const trashed = libraries
    .filter(({ id }) => !query.libraryId || id === query.libraryId)
    .reduce((sum, library) => sum + library.trashed, 0);

  type Word = { value: string; label: string; count: number };
  const group = (
    title: string,
    field: 'sex' | 'eyelidType' | 'profileId' | 'source' | 'state' | 'flag',
    words: readonly Word[] | undefined,
    label: (word: Word) => string,
  ) =>
    words && (words.length > 0 || query[field] !== undefined) ? (
      <Group key={field} title={title}>
        {words.map((word) => (
          <Line
            key={word.value}
            label={label(word)}
            count={word.count}
            on={query[field] === word.value}
            onClick={() =>
              search({ [field]: query[field] === word.value ? undefined : word.value } as Partial<ModelQuery>)
            }
          />
        ))}
      </Group>
    ) : null;

  return (
    <nav className={classes.facets} aria-label={t('facets.title')}>
      <Group>
        <Line
          label={t('facets.all')}
          on={!isNarrowed(query) && !query.trash && !query.libraryId}
          onClick={() => searchAfresh()}
        />
        <Line
          label={t('facets.expired')}
          on={query.consentExpired === true}
          onClick={() => search({ consentExpired: query.consentExpired ? undefined : true })}
        />
        {(trashed > 0 || query.trash) && (
          <Line
            label={t('facets.trash')}
            count={trashed}
            on={query.trash === true}
            onClick={() => searchAfresh(query.trash ? {} : { trash: true })}
          />
        )}
      </Group>
      {libraries.length > 1 && (
        <Group title={t('facets.libraries')}>
          {libraries.map((library) => (
            <Line
              key={library.id}
              label={library.available ? library.name : t('facets.away', { name: library.name })}
              count={library.models}
              on={query.libraryId === library.id}
              onClick={() => search({ libraryId: query.libraryId === library.id ? undefined : library.id })}
            />
          ))}
        </Group>
      )}
      <Searches query={query} />
      <Collections query={query} />
      <Made query={query} />
      {facets?.rating.some(({ value }) => value !== '0') && (
        <Group title={t('facets.rating')}>
          {[5, 4, 3, 2, 1].map((stars) => {
            const count = facets.rating
              .filter(({ value }) => Number(value) >= stars)
              .reduce((sum, one) => sum + one.count, 0);
            return count === 0 && query.rating !== stars ? null : (
              <Line
                key={stars}
                label={stars === 5 ? t('stars', { count: 5 }) : t('facets.atLeast', { count: stars })}
                count={count}
                on={query.rating === stars}
                onClick={() => search({ rating: query.rating === stars ? undefined : stars })}
              />
            );
          })}
        </Group>
      )}
      {group(t('facets.flag'), 'flag', facets?.flag, ({ value }) => t(`flags.${value as 'none'}`))}
      {group(t('facets.state'), 'state', facets?.state, ({ value }) => t(`states.${value as 'ok'}`))}
      {group(t('facets.sex'), 'sex', facets?.sex, ({ value }) => t(`sexes.${value as 'unset'}`))}
      {group(t('facets.eyelidType'), 'eyelidType', facets?.eyelidType, ({ value }) =>
        t(`eyelids.${value as 'unset'}`),
      )}
      {group(t('facets.connection'), 'profileId', facets?.profile, ({ value, label }) =>
        value === builtInProfileId ? frame('builtIn') : label,
      )}
      {group(t('facets.source'), 'source', facets?.source, ({ value }) => t(`sources.${value as 'import'}`))}
      <Tags query={query} facets={facets} />
    </nav>
  );
});

/** Always there: who never saw a tag would not know that heads can have some. */
function Tags({ query, facets }: { query: ModelQuery; facets: ModelFacets | undefined }) {
  const { t } = useTranslation('library');
  const all = facets?.tag ?? [];
  // What narrows the list stays in sight, that it can be taken back.
  const tags =
    query.tag !== undefined && !all.some(({ value }) => value === query.tag)
      ? [{ value: query.tag, label: query.tag, count: 0 }, ...all]
      : all;
  return (
    <Group title={t('facets.tags')}>
      {tags.map(({ value, label, count }) => (
        <Line
          key={value}
          label={label}
          count={count}
          on={query.tag === value}
          onClick={() => search({ tag: query.tag === value ? undefined : value, untagged: undefined })}
        />
      ))}
      <Line
        label={t('facets.untagged')}
        count={facets?.untagged ?? 0}
        on={query.untagged === true}
        onClick={() => search({ untagged: query.untagged ? undefined : true, tag: undefined })}
      />
    </Group>
  );
}

function Group({ title, action, children }: { title?: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.group} aria-label={title}>
      {title && (
        <h2 className={classes.title}>
          <span>{title}</span>
          {action}
        </h2>
      )}
      <ul>{children}</ul>
    </section>
  );
}

function Line(props: {
  label: string;
  count?: number;
  on: boolean;
  onClick: () => void;
  action?: ReactNode;
  /** Heads can be dropped on it. */
  onHeads?: (heads: ModelSelection) => void;
}) {
  const figures = useFigures();
  return (
    <li className={classes.item} {...(props.onHeads ? dropTarget(props.onHeads) : {})}>
      <UnstyledButton className={classes.line} aria-pressed={props.on} onClick={props.onClick}>
        <span className={classes.label} title={props.label}>
          {props.label}
        </span>
        {props.count !== undefined && <span className={classes.count}>{figures.number(props.count)}</span>}
      </UnstyledButton>
      {props.action}
    </li>
  );
}

const sameQuery = (one: ModelQuery, other: ModelQuery): boolean => {
  const ordered = (query: ModelQuery): string => JSON.stringify(Object.entries(query).sort());
  return ordered(one) === ordered(other);
};

function Searches({ query }: { query: ModelQuery }) {
  const { t } = useTranslation('library');
  const saved = useSavedSearches().data ?? [];
  const [naming, setNaming] = useState(false);
  const known = saved.some((one) => sameQuery(one.query, query));
  if (saved.length === 0 && !isNarrowed(query)) return null;
  return (
    <Group
      title={t('facets.searches')}
      action={
        isNarrowed(query) &&
        !known &&
        !query.trash && (
          <ActionIcon
            size={22}
            aria-label={t('facets.saveSearch')}
            title={t('facets.saveSearch')}
            onClick={() => setNaming(true)}
          >
            <IconPlus size={15} />
          </ActionIcon>
        )
      }
    >
      {naming && (
        <NameField
          label={t('facets.searchName')}
          initial={query.text ?? ''}
          onEnd={() => setNaming(false)}
          onName={(name) =>
            studio.library.saveSearch({
              name,
              query,
              ...(query.libraryId ? { libraryId: query.libraryId } : {}),
            })
          }
        />
      )}
      {saved.map((one) => (
        <Line
          key={one.id}
          label={one.name}
          on={sameQuery(one.query, query)}
          onClick={() => searchAfresh(one.query)}
          action={
            <ActionIcon
              size={22}
              className={classes.more ?? ''}
              aria-label={t('facets.removeSearch', { name: one.name })}
              title={t('facets.removeSearch', { name: one.name })}
              onClick={() => attempt(() => studio.library.removeSavedSearch({ id: one.id }))}
            >
              <IconX size={14} />
            </ActionIcon>
          }
        />
      ))}
    </Group>
  );
}

/** When the heads were made: lately, or from one day to another. */
function Made({ query }: { query: ModelQuery }) {
  const { t } = useTranslation('library');
  const { createdFrom, createdTo } = query;
  return (
    <Group title={t('facets.made')}>
      {[0, 6, 29].map((days) => {
        const from = daysAgo(days);
        const on = createdFrom === from && createdTo === undefined;
        return (
          <Line
            key={days}
            label={days === 0 ? t('facets.today') : t('facets.lastDays', { count: days + 1 })}
            on={on}
            onClick={() => search({ createdFrom: on ? undefined : from, createdTo: undefined })}
          />
        );
      })}
      <li className={classes.days}>
        <DayField
          size="xs"
          aria-label={t('facets.madeFrom')}
          title={t('facets.madeFrom')}
          value={dayOf(createdFrom)}
          max={dayOf(createdTo)}
          onChange={(day) => search({ createdFrom: startOf(day) ?? undefined })}
        />
        <DayField
          size="xs"
          aria-label={t('facets.madeTo')}
          title={t('facets.madeTo')}
          value={dayOf(createdTo)}
          min={dayOf(createdFrom)}
          onChange={(day) => search({ createdTo: endOf(day) ?? undefined })}
        />
      </li>
    </Group>
  );
}

function Collections({ query }: { query: ModelQuery }) {
  const { t } = useTranslation('library');
  const collections = useCollections().data ?? [];
  /** The collection whose name is being typed; `new` for one that is not there yet. */
  const [naming, setNaming] = useState<string>();
  return (
    <Group
      title={t('facets.collections')}
      action={
        <ActionIcon
          size={22}
          aria-label={t('facets.newCollection')}
          title={t('facets.newCollection')}
          onClick={() => setNaming('new')}
        >
          <IconPlus size={15} />
        </ActionIcon>
      }
    >
      {naming === 'new' && (
        <NameField
          label={t('facets.collectionName')}
          initial=""
          onEnd={() => setNaming(undefined)}
          onName={(name) =>
            studio.library.createCollection({
              name,
              ...(query.libraryId ? { libraryId: query.libraryId } : {}),
            })
          }
        />
      )}
      {collections.map(({ id, name, models }) =>
        naming === id ? (
          <NameField
            key={id}
            label={t('facets.collectionName')}
            initial={name}
            onEnd={() => setNaming(undefined)}
            onName={(changed) => studio.library.renameCollection({ id, name: changed })}
          />
        ) : (
          <Line
            key={id}
            label={name}
            count={models}
            on={query.collectionId === id}
            onClick={() => search({ collectionId: query.collectionId === id ? undefined : id })}
            onHeads={(heads) => attempt(() => edit(heads, { addCollection: id }, name))}
            action={
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon
                    size={22}
                    className={classes.more ?? ''}
                    aria-label={t('facets.collectionMenu', { name })}
                  >
                    <IconDots size={14} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => setNaming(id)}>{t('facets.renameCollection')}</Menu.Item>
                  <Menu.Item
                    onClick={() =>
                      attempt(async () => {
                        await studio.library.removeCollection({ id });
                        if (query.collectionId === id) search({ collectionId: undefined });
                      })
                    }
                  >
                    {t('facets.removeCollection')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            }
          />
        ),
      )}
      {collections.length === 0 && naming === undefined && (
        <li>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            className={classes.first ?? ''}
            onClick={() => setNaming('new')}
          >
            {t('facets.newCollection')}
          </Button>
        </li>
      )}
    </Group>
  );
}

/** A name typed in place: Enter keeps it, Escape and leaving an empty field drop it. */
function NameField(props: {
  label: string;
  initial: string;
  onName: (name: string) => Promise<unknown>;
  onEnd: () => void;
}) {
  const [name, setName] = useState(props.initial);
  const keep = (): void => {
    props.onEnd();
    const trimmed = name.trim();
    if (trimmed) attempt(() => props.onName(trimmed));
  };
  return (
    <li className={classes.naming}>
      <TextInput
        aria-label={props.label}
        placeholder={props.label}
        value={name}
        maxLength={120}
        autoFocus
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') keep();
          else if (event.key === 'Escape') props.onEnd();
        }}
        onBlur={props.onEnd}
      />
    </li>
  );
}
