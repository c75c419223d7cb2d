import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelQuery } from '#contract';
import { attempt, withdrawUndo } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { edit, removed } from '../edits.ts';
import { useCollections } from '../library-queries.ts';
import { search } from '../model-list.ts';
import { FacetGroup, FacetLine } from './FacetGroup.tsx';
import classes from './Facets.module.css';
import { NameField } from './NameField.tsx';

export function CollectionsFacet({ query }: { query: ModelQuery }) {
  const { t } = useTranslation('library');
  const collections = useCollections().data ?? [];
  /** The collection whose name is being typed; `new` for one that is not there yet. */
  const [naming, setNaming] = useState<string>();
  return (
    <FacetGroup
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
          onName={(name) => {
            withdrawUndo('library');
            return studio.library.createCollection({
              name,
              ...(query.libraryId ? { libraryId: query.libraryId } : {}),
            });
          }}
        />
      )}
      {collections.map(({ id, name, models }) =>
        naming === id ? (
          <NameField
            key={id}
            label={t('facets.collectionName')}
            initial={name}
            onEnd={() => setNaming(undefined)}
            onName={(changed) => {
              withdrawUndo('library');
              return studio.library.renameCollection({ id, name: changed });
            }}
          />
        ) : (
          <FacetLine
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
                        await removed(studio.library.removeCollection({ id }), name);
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
    </FacetGroup>
  );
}
