import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { JournalEntry } from '#contract';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { Facts } from '../../ui/Facts.tsx';
import { operationName } from '../operation-name.ts';
import classes from './EntryDetails.module.css';

/** One entry in full, beside the list. */
export function EntryDetails(props: {
  entry: JournalEntry;
  /** Name of the entry's head. */
  name: string | undefined;
  onClose: () => void;
}) {
  const { entry, name, onClose } = props;
  const { t } = useTranslation('activity');
  const figures = useFigures();
  const title = t('journal.details', { sequence: figures.number(entry.sequence) });
  const facts: [string, React.ReactNode][] = [
    [t('journal.columns.at'), figures.dateTime(entry.at)],
    [t('journal.fields.kind'), t(`journal.fields.kinds.${entry.kind}`)],
    [t('journal.columns.connection'), entry.profileName],
    [t('journal.columns.operation'), operationName(t, entry.operation)],
    [t('journal.fields.head'), name ?? null],
    [t('journal.columns.subject'), <code key="subject">{operationName(t, entry.subject)}</code>],
    [t('journal.columns.outcome'), t(`outcomes.${entry.outcome}`)],
    [t('journal.fields.message'), worded(entry.message)],
    [t('journal.columns.http'), entry.httpStatus],
    [t('journal.fields.envelope'), entry.envelopeCode],
    [
      t('journal.columns.firstByte'),
      entry.firstByteMs === null ? null : figures.milliseconds(entry.firstByteMs),
    ],
    [t('journal.columns.total'), figures.milliseconds(entry.totalMs)],
    [t('journal.fields.sent'), figures.bytes(entry.bytesSent)],
    [t('journal.fields.received'), figures.bytes(entry.bytesReceived)],
    [
      t('journal.fields.billedSeconds'),
      entry.billedSeconds > 0 ? figures.seconds(entry.billedSeconds) : null,
    ],
    [t('journal.fields.billedFrames'), entry.billedFrames > 0 ? figures.number(entry.billedFrames) : null],
    [t('journal.fields.billedModels'), entry.billedModels > 0 ? figures.number(entry.billedModels) : null],
    [t('journal.columns.cost'), entry.cost > 0 ? figures.money(entry.cost, entry.currency) : null],
    [t('journal.fields.hash'), <code key="hash">{entry.hash}</code>],
  ];
  return (
    <aside className={classes.details} aria-label={title}>
      <div className={classes.head}>
        <h2>{title}</h2>
        <ActionIcon aria-label={t('journal.close')} onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </div>
      <Facts facts={facts.filter(([, value]) => value !== null && value !== '')} />
    </aside>
  );
}
