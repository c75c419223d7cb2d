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

/** Whose names face shapes can get: their own, the built-in vocabularies, and the person's own tables. */
export function useShapeNames(): ShapeNames[] {
  const { t } = useTranslation('library');
  const tables = useQuery({ queryKey: ['names'], queryFn: () => studio.names.list() });
  useEffect(() => studio.names.onChanged((now) => queryClient.setQueryData(['names'], now)), []);
  const label = ({ id, name, builtIn }: NameTableCard): string =>
    builtIn ? t(`nameTables.builtIn.${id as (typeof builtInNameTables)[number]}.label`) : name;
  return [
    { value: 'as-is', label: t('export.asIs') },
    ...(tables.data ?? []).map((table) => ({ value: table.id, label: label(table) })),
  ];
}
