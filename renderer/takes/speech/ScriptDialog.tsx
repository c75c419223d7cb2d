import { Button, FileButton, Group, Select, Textarea, TextInput } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Script, Take } from '#contract';
import { scriptLimits } from '#contract/takes/take_constants.ts';
import { attempt, notifyFailure } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { changeSettingsBy, useSettings } from '../../base/studio-queries.ts';
import { MountedModal } from '../../ui/dialogs/MountedModal.tsx';
import { readScript, scriptFiles, setScript } from './read-script.ts';
import classes from './SpeechBar.module.css';

interface DialogProps {
  take: Take;
  /** Words of the script that no dictionary has. */
  unknown: readonly string[];
  onClose: () => void;
}

/** The transcript of a take: typed, pasted or from a file. */
export function ScriptDialog(props: DialogProps) {
  const { t } = useTranslation(['takes', 'app']);
  const { take, onClose } = props;
  const { data: script } = useQuery({
    queryKey: ['take-script', take.id],
    queryFn: () => studio.takes.script({ id: take.id }),
    gcTime: 0,
  });
  return (
    <MountedModal
      onClose={onClose}
      title={t('takes:speech.wordsTitle')}
      size={620}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      {script !== undefined && (
        <ScriptForm {...props} script={script ?? { text: '', language: 'auto', fileName: '' }} />
      )}
    </MountedModal>
  );
}

function ScriptForm({ take, unknown, onClose, script }: DialogProps & { script: Script }) {
  const { t } = useTranslation(['takes', 'app']);
  const [written, setWritten] = useState(script);
  const pronunciations = useOwnPronunciations(unknown);
  const save = (): void => {
    const kept = written.text.trim() === '' ? null : written;
    pronunciations
      .save()
      .then(() => setScript(take.id, kept))
      .then(onClose, notifyFailure);
  };
  return (
    <>
      <Textarea
        data-autofocus
        label={t('takes:speech.script')}
        description={t('takes:speech.scriptHint')}
        className={classes.script ?? ''}
        autosize
        minRows={8}
        maxRows={16}
        maxLength={scriptLimits.characters}
        value={written.text}
        onChange={({ currentTarget: { value } }) => setWritten((now) => ({ ...now, text: value }))}
      />
      <div className={classes.row}>
        <Select
          label={t('takes:speech.language')}
          allowDeselect={false}
          data={(['auto', 'en', 'zh'] as const).map((value) => ({
            value,
            label: t(`takes:speech.languages.${value}`),
          }))}
          value={written.language}
          onChange={(language) =>
            setWritten((now) => ({ ...now, language: (language ?? 'auto') as Script['language'] }))
          }
        />
        <FileButton
          accept={scriptFiles}
          onChange={(file) => {
            if (file) attempt(async () => setWritten(await readScript(file)));
          }}
        >
          {(button) => (
            <Button {...button} variant="default" leftSection={<IconFileText size={15} />}>
              {t('takes:speech.fromFile')}
            </Button>
          )}
        </FileButton>
      </div>
      {unknown.length > 0 && (
        <>
          <p className={classes.note}>{t('takes:speech.unknown')}</p>
          <div className={classes.unknown}>
            {unknown.slice(0, 200).map((word) => (
              <UnknownWord
                key={word}
                word={word}
                value={pronunciations.of(word)}
                onChange={(phones) => pronunciations.set(word, phones)}
              />
            ))}
          </div>
        </>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('app:actions.cancel')}
        </Button>
        <Button onClick={save}>{t('takes:speech.useWords')}</Button>
      </Group>
    </>
  );
}

function UnknownWord(props: { word: string; value: string; onChange: (phones: string) => void }) {
  const { t } = useTranslation('takes');
  return (
    <>
      <span>{props.word}</span>
      <TextInput
        aria-label={t('speech.pronunciationOf', { word: props.word })}
        placeholder={t('speech.phonesHint')}
        maxLength={300}
        value={props.value}
        onChange={({ currentTarget: { value } }) => props.onChange(value)}
      />
    </>
  );
}

/** How the person says words that no dictionary has; kept with the settings, for every take. */
function useOwnPronunciations(words: readonly string[]) {
  const { pronunciations } = useSettings();
  const [changed, setChanged] = useState<Readonly<Record<string, string>>>({});
  const kept = (word: string): string =>
    pronunciations.find((own) => own.word.toLowerCase() === word.toLowerCase())?.phones ?? '';
  return {
    of: (word: string) => changed[word] ?? kept(word),
    set: (word: string, phones: string) => setChanged((now) => ({ ...now, [word]: phones })),
    async save(): Promise<void> {
      const mine = words.filter((word) => changed[word] !== undefined && changed[word] !== kept(word));
      if (mine.length === 0) return;
      const added = mine.flatMap((word) => {
        const phones = changed[word]?.trim() ?? '';
        return phones === '' ? [] : [{ word, phones }];
      });
      await changeSettingsBy((now) => {
        const others = now.pronunciations.filter(
          (own) => !mine.some((word) => word.toLowerCase() === own.word.toLowerCase()),
        );
        return { pronunciations: [...others, ...added] };
      });
    },
  };
}
