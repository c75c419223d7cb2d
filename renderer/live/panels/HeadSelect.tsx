import { type ComboboxItem, type OptionsFilter, Select } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelCard } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import { studio } from '../../base/studio.ts';
import classes from './HeadSelect.module.css';

/** Heads offered at once, those changed last first: typing finds the others, however many there are. */
const maxOffered = 100;

/** A head's picture, or a stand-in where it has none yet. */
function Picture({ of: head }: { of: Pick<ModelCard, 'id' | 'hasThumbnail' | 'version'> | undefined }) {
  return (
    <span className={classes.picture}>
      {head?.hasThumbnail ? (
        <img
          src={`${assetUrl(head.id, 'thumbnail')}?v=${head.version}`}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
        />
      ) : (
        <IconUser size={18} stroke={1.4} aria-hidden />
      )}
    </span>
  );
}

/**
 * The head to choose from: the default one and what the library has.
 *
 * @param props.isBare - Without a visible label, and opens upward: at the foot of a stage.
 */
export function HeadSelect({
  value,
  onChange,
  isBare = false,
}: {
  value: string;
  onChange: (modelId: string) => void;
  isBare?: boolean;
}) {
  const { t } = useTranslation('live');
  const [search, setSearch] = useState('');
  const chosen = useQuery({
    queryKey: ['live-models', 'chosen', value],
    queryFn: () => studio.library.model({ id: value }),
    enabled: value !== '',
    retry: false,
  });
  // A head that is not there any more is the default one.
  const shown = value === '' || chosen.isError ? null : { value, label: chosen.data?.name ?? '' };
  const label = shown?.label ?? t('face.defaultHead');
  // Until something is typed the field says what is chosen, which nobody searches for.
  const text = search === label ? '' : search.trim();
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['live-models', 'found', text],
    queryFn: () =>
      studio.library.search({
        query: { sort: 'changed', descending: true, ...(text ? { text: text.slice(0, 200) } : {}) },
        offset: 0,
        limit: maxOffered,
      }),
    placeholderData: keepPreviousData,
  });
  const isSettled = data !== undefined && !isPlaceholderData;
  const heads = data?.models ?? [];
  const found = heads.filter(({ id }) => id !== value).map(({ id, name }) => ({ value: id, label: name }));
  const isFound = new Set(found.map((head) => head.value));
  /** The library has searched, in more than names; what else is offered is looked through here. */
  const fits: OptionsFilter = ({ options }) =>
    (options as ComboboxItem[]).filter(
      (option) => isFound.has(option.value) || option.label.toLowerCase().includes(text.toLowerCase()),
    );
  const pictured = (id: string) =>
    id === chosen.data?.id ? chosen.data : heads.find((head) => head.id === id);
  return (
    <Select
      {...(isBare
        ? { 'aria-label': t('face.head'), comboboxProps: { position: 'top-start', width: 240 } }
        : { label: t('face.head') })}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      filter={fits}
      nothingFoundMessage={t(isSettled ? 'face.noHead' : 'face.searching')}
      allowDeselect={false}
      value={shown?.value ?? ''}
      leftSection={<Picture of={shown ? pictured(shown.value) : undefined} />}
      leftSectionWidth={38}
      leftSectionPointerEvents="none"
      renderOption={({ option }) => (
        <span className={classes.option}>
          <Picture of={pictured(option.value)} />
          {option.label}
        </span>
      )}
      data={[{ value: '', label: t('face.defaultHead') }, ...(shown ? [shown] : []), ...found]}
      onChange={(id) => onChange(id ?? '')}
      // What is typed takes the place of what is chosen, not the end of it.
      onClick={({ currentTarget }) => currentTarget.select()}
    />
  );
}
