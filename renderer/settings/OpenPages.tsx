import { Button, Group, Table, Text } from '@mantine/core';
import { IconPlugConnectedX, IconTerminal2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpenPage } from '#contract';
import { attempt, notify } from '../base/notices.tsx';
import { studio } from '../base/studio.ts';
import { queryClient, useOpenPages } from '../base/studio-queries.ts';
import { useFigures } from '../base/text/number-format.ts';
import { Confirm } from '../ui/dialogs/Confirm.tsx';
import { Section } from '../ui/Section.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import { Page } from './Page.tsx';

/** Lists browser pages that have the studio open, and ends them. */
export function OpenPages() {
  const { t } = useTranslation('settings');
  const { dateTime } = useFigures();
  const pages = useOpenPages().data ?? [];
  const [endingThis, setEndingThis] = useState(false);
  const own = window.studioPage?.id;
  const others = pages.filter(({ id }) => id !== own).map(({ id }) => id);

  const end = async (ids: string[]): Promise<void> => {
    queryClient.setQueryData(['open-pages'], await studio.app.endPages({ ids }));
    notify({ level: 'success', title: t('pages.ended', { count: ids.length }), text: '' });
  };
  const offer = async (): Promise<void> => {
    await studio.app.offerLink();
    notify({ level: 'success', title: t('pages.linked'), text: '' });
  };
  const nameOf = ({ browser }: OpenPage): string => browser || t('pages.unknown');

  return (
    <Page title={t('sections.pages')} intro={t('pages.intro')}>
      <Section title={t('pages.list')} note={t('pages.endNote')}>
        <Table aria-label={t('pages.list')} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              {(['browser', 'opened', 'seen', 'end'] as const).map((column) => (
                <Table.Th key={column} ta={column === 'end' ? 'end' : undefined}>
                  {t(`pages.columns.${column}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {pages.map((page) => (
              <Table.Tr key={page.id}>
                <Table.Td>
                  {nameOf(page)}
                  {page.id === own && <Text span size="xs" c="dimmed">{` · ${t('pages.thisPage')}`}</Text>}
                </Table.Td>
                <Table.Td>{dateTime(page.openedAt)}</Table.Td>
                <Table.Td>
                  <Group gap={8} wrap="nowrap">
                    <StateDot tone={page.connected ? 'good' : 'idle'} />
                    {page.connected ? t('pages.now') : dateTime(page.seenAt)}
                  </Group>
                </Table.Td>
                <Table.Td ta="end">
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={t('pages.endLabel', { browser: nameOf(page), when: dateTime(page.openedAt) })}
                    onClick={() => (page.id === own ? setEndingThis(true) : attempt(() => end([page.id])))}
                  >
                    {t('pages.end')}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <div>
          <Button
            variant="default"
            leftSection={<IconPlugConnectedX size={15} />}
            disabled={others.length === 0}
            onClick={() => attempt(() => end(others))}
          >
            {t('pages.endOthers')}
          </Button>
        </div>
      </Section>
      <Section title={t('pages.another')} note={t('pages.anotherNote')}>
        <div>
          <Button variant="default" leftSection={<IconTerminal2 size={15} />} onClick={() => attempt(offer)}>
            {t('pages.link')}
          </Button>
        </div>
      </Section>
      <Confirm
        opened={endingThis}
        title={t('pages.endThisTitle')}
        text={t('pages.endThisText')}
        action={t('pages.end')}
        onConfirm={() => studio.app.endPages({ ids: own ? [own] : [] })}
        onClose={() => setEndingThis(false)}
      />
    </Page>
  );
}
