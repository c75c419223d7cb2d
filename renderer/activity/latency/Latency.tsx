import { Button, SegmentedControl, Table, UnstyledButton } from '@mantine/core';
import { IconGauge } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { latencyTargetMs } from '#contract/constants.ts';
import { go } from '../../base/route.ts';
import { useLatency } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { Callout } from '../../ui/Callout.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StateDot } from '../../ui/StateDot.tsx';
import activity from '../Activity.module.css';
import { ActivityTabs } from '../ActivityTabs.tsx';
import { operationName } from '../operation-name.ts';
import classes from './Latency.module.css';
import { LatencyPlot } from './LatencyPlot.tsx';

const spans = [
  ['1', 'day'],
  ['7', 'week'],
  ['30', 'month'],
  ['90', 'quarter'],
] as const;

export function Latency() {
  const { t } = useTranslation(['activity', 'app']);
  const { t: words } = useTranslation('activity');
  const figures = useFigures();
  const [days, setDays] = useState('7');
  const [asked, setAsked] = useState<string>();
  const { data } = useLatency(Number(days));
  const target = figures.milliseconds(latencyTargetMs);
  const operations = data?.operations.toSorted((a, b) => b.count - a.count) ?? [];
  const shown = operations.find(({ operation }) => operation === asked) ?? operations[0];
  return (
    <>
      <PageHeader title={t('app:pages.activity')} note={<ActivityTabs current="latency" />}>
        <SegmentedControl
          aria-label={t('latency.days')}
          value={days}
          data={spans.map(([value, name]) => ({ value, label: words(`latency.${name}`) }))}
          onChange={setDays}
        />
      </PageHeader>
      {data && !shown && (
        <EmptyState
          icon={<IconGauge size={44} stroke={1.1} />}
          title={t('latency.emptyTitle')}
          text={t('latency.emptyText', { target })}
        />
      )}
      {data && shown && (
        <div className={activity.page}>
          <LatencyPlot recent={data.recent} shown={shown} />
          <Table className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('latency.operation')}</Table.Th>
                <Table.Th ta="right">{t('latency.calls')}</Table.Th>
                <Table.Th ta="right">{t('latency.p50')}</Table.Th>
                <Table.Th ta="right">{t('latency.p95')}</Table.Th>
                <Table.Th>{t('latency.comparison')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {operations.map((row) => {
                const name = operationName(words, row.operation);
                const current = row.operation === shown.operation;
                return (
                  <Table.Tr key={row.operation} data-current={current || undefined}>
                    <Table.Td>
                      <UnstyledButton
                        className={classes.choose}
                        aria-pressed={current}
                        aria-label={t('latency.choose', { operation: name })}
                        onClick={() => setAsked(row.operation)}
                      >
                        {name}
                      </UnstyledButton>
                    </Table.Td>
                    <Table.Td ta="right">{figures.number(row.count)}</Table.Td>
                    <Table.Td ta="right">{figures.milliseconds(row.p50)}</Table.Td>
                    <Table.Td ta="right">{figures.milliseconds(row.p95)}</Table.Td>
                    <Table.Td>
                      <span className={classes.verdict}>
                        <StateDot tone={row.withinTarget ? 'good' : 'warn'} />
                        {row.withinTarget ? t('latency.within') : t('latency.above')}
                      </span>
                    </Table.Td>
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          </Table>
          <p className={classes.note}>{t('latency.note', { target })}</p>
          {operations.some(({ withinTarget }) => !withinTarget) && (
            <Callout
              tone="warn"
              title={t('latency.adviceTitle')}
              action={
                <Button variant="default" onClick={() => go('live')}>
                  {t('latency.toLive')}
                </Button>
              }
            >
              {t('latency.advice')}
            </Callout>
          )}
        </div>
      )}
    </>
  );
}
