import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { builtInNameTables, NameTableCard } from '#contract';
import { studio } from '../base/studio.ts';
import { queryClient } from '../base/studio-queries.ts';

interface ShapeNames {
  value: string;
  label: string;
}

/** All tables of names, and what a person knows each by. */
export function useNameTables(): { tables: NameTableCard[]; labelOf: (table: NameTableCard) => string } {
  const { t } = useTranslation('library');
  const { data: tables = [] } = useQuery({ queryKey: ['names'], queryFn: () => studio.names.list() });
  useEffect(() => studio.names.onChanged((now) => queryClient.setQueryData(['names'], now)), []);
  return {
    tables,
    labelOf: ({ id, name, builtIn }) =>
      builtIn ? t(`nameTables.builtIn.${id as (typeof builtInNameTables)[number]}.label`) : name,
  };
}

/** Whose names face shapes can get: their own, the built-in vocabularies, and the person's own tables. */
export function useShapeNames(): ShapeNames[] {
  const { t } = useTranslation('library');
  const { tables, labelOf } = useNameTables();
  return [
    { value: 'as-is', label: t('export.asIs') },
    ...tables.map((table) => ({ value: table.id, label: labelOf(table) })),
  ];
}
