import { useDebouncedValue } from '@mantine/hooks';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelFacets, ModelQuery } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { useFacets, useLibraries } from '../library-queries.ts';
import { isNarrowed, search, searchAfresh, typingPause } from '../model-list.ts';
import { CollectionsFacet } from './CollectionsFacet.tsx';
import { FacetGroup, FacetLine } from './FacetGroup.tsx';
import classes from './Facets.module.css';
import { MadeFacet } from './MadeFacet.tsx';
import { SavedSearches } from './SavedSearches.tsx';
import { sameQuery } from './same-query.ts';

/** Filters of the list: the user's collections, and properties of the found heads with counts. */
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
    // One value for all heads is no choice.
    words && (words.length > 1 || query[field] !== undefined) ? (
      <FacetGroup key={field} title={title}>
        {words.map((word) => (
          <FacetLine
            key={word.value}
            label={label(word)}
            count={word.count}
            on={query[field] === word.value}
            onClick={() =>
              search({ [field]: query[field] === word.value ? undefined : word.value } as Partial<ModelQuery>)
            }
          />
        ))}
      </FacetGroup>
    ) : null;

  return (
    <nav className={classes.facets} aria-label={t('facets.title')}>
      <FacetGroup>
        <FacetLine
          label={t('facets.all')}
          on={!isNarrowed(query) && !query.trash && !query.libraryId}
          onClick={() => searchAfresh()}
        />
        <FacetLine
          label={t('facets.expired')}
          on={query.consentExpired === true}
          onClick={() => search({ consentExpired: query.consentExpired ? undefined : true })}
        />
        {(trashed > 0 || query.trash) && (
          <FacetLine
            label={t('facets.trash')}
            count={trashed}
            on={query.trash === true}
            onClick={() => searchAfresh(query.trash ? {} : { trash: true })}
          />
        )}
      </FacetGroup>
      {libraries.length > 1 && (
        <FacetGroup title={t('facets.libraries')}>
          {libraries.map((library) => (
            <FacetLine
              key={library.id}
              label={library.available ? library.name : t('facets.away', { name: library.name })}
              count={library.models}
              on={query.libraryId === library.id}
              onClick={() => search({ libraryId: query.libraryId === library.id ? undefined : library.id })}
            />
          ))}
        </FacetGroup>
      )}
      <SavedSearches query={query} />
      <CollectionsFacet query={query} />
      <MadeFacet query={query} />
      {facets?.rating.some(({ value }) => value !== '0') && (
        <FacetGroup title={t('facets.rating')}>
          {[5, 4, 3, 2, 1].map((stars) => {
            const withStars = (from: number): number =>
              facets.rating
                .filter(({ value }) => Number(value) >= from)
                .reduce((sum, one) => sum + one.count, 0);
            const count = withStars(stars);
            // The same heads as with one star more.
            return count === withStars(stars + 1) && query.rating !== stars ? null : (
              <FacetLine
                key={stars}
                label={stars === 5 ? t('stars', { count: 5 }) : t('facets.atLeast', { count: stars })}
                count={count}
                on={query.rating === stars}
                onClick={() => search({ rating: query.rating === stars ? undefined : stars })}
              />
            );
          })}
        </FacetGroup>
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
    <FacetGroup title={t('facets.tags')}>
      {tags.map(({ value, label, count }) => (
        <FacetLine
          key={value}
          label={label}
          count={count}
          on={query.tag === value}
          onClick={() => search({ tag: query.tag === value ? undefined : value, untagged: undefined })}
        />
      ))}
      <FacetLine
        label={t('facets.untagged')}
        {...(facets ? { count: facets.untagged } : {})}
        on={query.untagged === true}
        onClick={() => search({ untagged: query.untagged ? undefined : true, tag: undefined })}
      />
    </FacetGroup>
  );
}
