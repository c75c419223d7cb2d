import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ErasureReceipt } from '#contract';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { MountedModal } from '../../ui/dialogs/MountedModal.tsx';
import { download } from '../../ui/download.ts';
import { erasureReceipt } from '../edits.ts';
import classes from './EraseReceipt.module.css';

/** Receipt of the last erasure, until the user closes it. The erased heads have left the page by then. */
export function EraseReceipt() {
  const { t } = useTranslation(['library', 'app']);
  const figures = useFigures();
  const receipt = erasureReceipt.use();
  if (!receipt) return null;
  const close = (): void => erasureReceipt.set(null);
  const title = t('erased', { count: receipt.erased });
  const sections = sectionsOf(receipt, t);
  const save = (): void =>
    download({
      fileName: `likeness-erasure-${new Date(receipt.at).toISOString().slice(0, 10)}.txt`,
      mediaType: 'text/plain;charset=utf-8',
      text: [
        t('receipt.title'),
        `${figures.dateTime(receipt.at)}: ${title}`,
        ...[...sections, { heading: t('receipt.ids'), lines: receipt.ids }].flatMap(({ heading, lines }) => [
          '',
          heading,
          ...lines.map((line) => `- ${line}`),
        ]),
        '',
      ].join('\n'),
    });
  return (
    <MountedModal
      onClose={close}
      title={title}
      size={540}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <Stack gap="md">
        {sections.map(({ heading, lines }) => (
          <section key={heading} className={classes.part}>
            <h3>{heading}</h3>
            <ul>
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
        ))}
        <Text c="dimmed" size="sm">
          {t('receipt.journal')}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" leftSection={<IconDownload size={15} />} onClick={save}>
            {t('receipt.save')}
          </Button>
          <Button data-autofocus onClick={close}>
            {t('app:actions.close')}
          </Button>
        </Group>
      </Stack>
    </MountedModal>
  );
}

function sectionsOf(
  { removed, kept, failed, problem, isFinished }: ErasureReceipt,
  t: TFunction<['library', 'app']>,
): { heading: string; lines: string[] }[] {
  const trouble = [
    ...(failed > 0 ? [`${t('receipt.failed', { count: failed })} ${worded(problem)}`] : []),
    ...(isFinished ? [] : [t('receipt.unfinished')]),
  ];
  return [
    {
      heading: t('receipt.removed'),
      lines: removed.map(({ what, count }) => t(`receipt.parts.${what}`, { count })),
    },
    {
      heading: t('receipt.kept'),
      lines: kept.map(({ what, count, names }) =>
        t(`receipt.left.${what}`, { count, names: names.join(', ') }),
      ),
    },
    ...(trouble.length > 0 ? [{ heading: t('receipt.trouble'), lines: trouble }] : []),
  ];
}
