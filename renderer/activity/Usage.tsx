import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Usage as UsageRecord } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { address } from '../base/route.ts';
import { monthOf, useProfiles, useUsage } from '../base/studio-queries.ts';
import { useFigures } from '../base/text/number-format.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import activity from './Activity.module.css';
import { ActivityTabs } from './ActivityTabs.tsx';
import classes from './Usage.module.css';

/** `2026-11` moved by months. */
function shifted(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + by, 1)));
}

export function Usage() {
  const { t } = useTranslation(['activity', 'app']);
  const figures = useFigures();
  const thisMonth = monthOf(new Date());
  const [month, setMonth] = useState(thisMonth);
  const { data } = useUsage(month);
  const name = figures.month(month);
  const sums = new Map<string, number>();
  for (const { currency, cost } of data?.profiles ?? []) sums.set(currency, (sums.get(currency) ?? 0) + cost);
  const spent = [...sums].filter(([, sum]) => sum > 0);
  const shown = spent.length > 0 ? spent : [...sums].slice(0, 1);
  return (
    <>
      <PageHeader title={t('app:pages.activity')} note={<ActivityTabs current="usage" />}>
        <ActionIcon aria-label={t('usage.previous')} onClick={() => setMonth(shifted(month, -1))}>
          <IconChevronLeft size={17} />
        </ActionIcon>
        <span className={classes.month} role="status">
          {name}
        </span>
        <ActionIcon
          aria-label={t('usage.next')}
          disabled={month >= thisMonth}
          onClick={() => setMonth(shifted(month, 1))}
        >
          <IconChevronRight size={17} />
        </ActionIcon>
      </PageHeader>
      <div className={activity.page}>
        {data?.profiles.length === 0 ? (
          <p className={classes.note}>{t('usage.nothing', { month: name })}</p>
        ) : (
          <div className={classes.sums}>
            <p className={classes.label}>{t('usage.spent', { month: name })}</p>
            <p className={classes.sum}>
              {shown.map(([currency, sum]) => figures.money(sum, currency)).join(' + ')}
            </p>
          </div>
        )}
        <div className={classes.cards}>
          {data?.profiles.map((usage) => (
            <Card key={usage.profileId} usage={usage} isNow={month === thisMonth} />
          ))}
        </div>
        <p className={classes.note}>{t('usage.note')}</p>
      </div>
    </>
  );
}

function Card(props: { usage: UsageRecord['profiles'][number]; isNow: boolean }) {
  const { t } = useTranslation('activity');
  const { t: frame } = useTranslation();
  const { usage, isNow } = props;
  const figures = useFigures();
  const isFree = usage.profileId === builtInProfileId;
  const name = isFree ? frame('builtIn') : usage.profileName;
  const exists = useProfiles().data?.find(({ id }) => id === usage.profileId);
  const { cost, currency, monthlyCap: cap } = usage;
  const share = cap === null ? 0 : cap === 0 ? 1 : cost / cap;
  const level = share >= 1 ? 'over' : share >= 0.8 ? 'near' : 'fine';
  return (
    <section className={classes.card} aria-label={name}>
      <div className={classes.head}>
        <h2>{name}</h2>
        {exists && !exists.builtIn && (
          <a href={address('settings', 'connections', usage.profileId)}>{t('usage.setCap')}</a>
        )}
      </div>
      <p className={classes.cost}>{isFree ? t('usage.free') : figures.money(cost, currency)}</p>
      {isFree ? null : cap === null ? (
        <p className={classes.capText}>{t('usage.noCap')}</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: the meter element can't be drawn like this everywhere */}
          <div
            role="meter"
            className={classes.cap}
            data-level={level}
            aria-label={t('usage.cap')}
            aria-valuemin={0}
            aria-valuemax={cap}
            aria-valuenow={Math.min(cost, cap)}
            aria-valuetext={t('usage.capBar', {
              share: figures.percent(share),
              cap: figures.money(cap, currency),
            })}
          >
            <span style={{ width: `${Math.min(1, share) * 100}%` }} />
          </div>
          <p className={classes.capText} data-level={level}>
            {share >= 1 && isNow
              ? t('usage.reached')
              : [
                  t('usage.capBar', { share: figures.percent(share), cap: figures.money(cap, currency) }),
                  isNow && t('usage.left', { amount: figures.money(cap - cost, currency) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
          </p>
        </>
      )}
      <dl className={classes.counts}>
        {(
          [
            ['calls', figures.number(usage.calls)],
            ['failed', figures.number(usage.failed)],
            ['seconds', figures.seconds(usage.seconds)],
            ['frames', figures.number(usage.frames)],
            ['models', figures.number(usage.models)],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt>{t(`usage.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
