import { ActionIcon } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelQuery } from '#contract';
import { attempt, withdrawUndo } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { removed } from '../edits.ts';
import { useSavedSearches } from '../library-queries.ts';
import { isNarrowed, searchAfresh } from '../model-list.ts';
import { FacetGroup, FacetLine } from './FacetGroup.tsx';
import classes from './Facets.module.css';
import { NameField } from './NameField.tsx';
import { sameQuery } from './same-query.ts';

export function SavedSearches({ query }: { query: ModelQuery }) {
  const { t } = useTranslation('library');
  const saved = useSavedSearches().data ?? [];
  const [naming, setNaming] = useState(false);
  const known = saved.some((one) => sameQuery(one.query, query));
  if (saved.length === 0 && !isNarrowed(query)) return null;
  return (
    <FacetGroup
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
          onName={(name) => {
            withdrawUndo('library');
            return studio.library.saveSearch({
              name,
              query,
              ...(query.libraryId ? { libraryId: query.libraryId } : {}),
            });
          }}
        />
      )}
      {saved.map((one) => (
        <FacetLine
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
              onClick={() =>
                attempt(() => removed(studio.library.removeSavedSearch({ id: one.id }), one.name))
              }
            >
              <IconX size={14} />
            </ActionIcon>
          }
        />
      ))}
    </FacetGroup>
  );
}
