import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelQuery } from '#contract';
import { DayField } from '../../ui/DayField.tsx';
import { dayOf, daysAgo, endOf, startOf } from '../days.ts';
import { search } from '../model-list.ts';
import { FacetGroup, FacetLine } from './FacetGroup.tsx';
import classes from './Facets.module.css';

const recent = [0, 6, 29];

/** When the heads were made: lately, or from one day to another. */
export function MadeFacet({ query }: { query: ModelQuery }) {
  const { t } = useTranslation('library');
  const { createdFrom, createdTo } = query;
  const [isOpen, setOpen] = useState(false);
  const isRecent = createdTo === undefined && recent.some((days) => createdFrom === daysAgo(days));
  const hasDays = (createdFrom !== undefined || createdTo !== undefined) && !isRecent;
  return (
    <FacetGroup title={t('facets.made')}>
      {recent.map((days) => {
        const from = daysAgo(days);
        const on = createdFrom === from && createdTo === undefined;
        return (
          <FacetLine
            key={days}
            label={days === 0 ? t('facets.today') : t('facets.lastDays', { count: days + 1 })}
            on={on}
            onClick={() => search({ createdFrom: on ? undefined : from, createdTo: undefined })}
          />
        );
      })}
      <FacetLine
        label={t('facets.chooseDays')}
        on={isOpen || hasDays}
        onClick={() => {
          setOpen(!isOpen && !hasDays);
          if (hasDays) search({ createdFrom: undefined, createdTo: undefined });
        }}
      />
      {(isOpen || hasDays) && (
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
      )}
    </FacetGroup>
  );
}
