import { chosenOptions, type HeadOptions } from '@likeness/proto/heads/head_options.ts';
import { Button, Checkbox, Group, ScrollArea, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Model } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { attempt, offer } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { MountedModal } from '../../ui/dialogs/MountedModal.tsx';
import { useLeftSentences } from '../again/left-notice.ts';
import { useOptionWords } from '../again/option-words.ts';
import { Thumbnail } from '../Thumbnail.tsx';
import classes from './Look.module.css';

/** Heads of a search that the list shows. */
const maxListed = 200;

/** Picks the heads that get this head’s look, and makes them in one batch. */
export function CopyLookDialog(props: { model: Model; options: HeadOptions; onClose: () => void }) {
  const { t } = useTranslation(['library', 'app', 'portraits']);
  const { model, options, onClose } = props;
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text, 150);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const sentences = useLeftSentences();
  const words = useOptionWords()(chosenOptions(options));
  const { data } = useQuery({
    queryKey: ['library', 'copy-look', asked],
    queryFn: () => studio.library.search({ query: { text: asked }, offset: 0, limit: maxListed }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const heads = (data?.models ?? []).filter(({ id, hasPortrait }) => id !== model.id && hasPortrait);
  const toggle = (id: string, isOn: boolean): void =>
    setIds((now) => new Set(isOn ? [...now, id] : [...now].filter((one) => one !== id)));
  const make = (): void =>
    attempt(async () => {
      setBusy(true);
      try {
        const answer = await studio.batch.makeAgain({
          selection: { ids: [...ids] },
          profileId: builtInProfileId,
          options: chosenOptions(options),
          asNew: false,
        });
        onClose();
        offer(
          {
            level: answer.queued < ids.size ? 'warning' : 'success',
            title: t('portraits:start.queued', { count: answer.queued }),
            text: sentences(answer).join(' '),
          },
          t('makeAgain.queue'),
          () => go('portraits'),
        );
      } finally {
        setBusy(false);
      }
    });
  return (
    <MountedModal
      onClose={onClose}
      title={t('headLook.copyTitle')}
      size={520}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <Text c="dimmed" mb="sm">
        {words.length > 0 ? words.join(' · ') : t('headLook.plain')}
      </Text>
      <TextInput
        data-autofocus
        aria-label={t('search')}
        placeholder={t('search')}
        leftSection={<IconSearch size={15} />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ScrollArea.Autosize mah={320} mt="sm">
        <ul className={classes.heads}>
          {heads.map((head) => (
            <li key={head.id}>
              <Checkbox
                styles={{ body: { alignItems: 'center' } }}
                checked={ids.has(head.id)}
                label={
                  <span className={classes.pick}>
                    <span className={classes.small} aria-hidden>
                      <Thumbnail model={head} />
                    </span>
                    {head.name}
                  </span>
                }
                onChange={({ currentTarget }) => toggle(head.id, currentTarget.checked)}
              />
            </li>
          ))}
        </ul>
        {data && heads.length === 0 && <Text c="dimmed">{t('headLook.noHeads')}</Text>}
      </ScrollArea.Autosize>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('app:actions.cancel')}
        </Button>
        <Button loading={isBusy} disabled={ids.size === 0} onClick={make}>
          {t('headLook.makeHeads', { count: ids.size })}
        </Button>
      </Group>
    </MountedModal>
  );
}
