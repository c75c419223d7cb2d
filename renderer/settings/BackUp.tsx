import { Button, FileButton, Group, Modal, Text } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackUpReading, SettingChange } from '#contract';
import { longestBackUp } from '#contract/constants.ts';
import { languageNames } from '../base/language.ts';
import { attempt, notify, offerUndo } from '../base/notices.tsx';
import { studio } from '../base/studio.ts';
import { queryClient } from '../base/studio-queries.ts';
import { useFigures } from '../base/text/number-format.ts';
import { listedInWords, worded } from '../base/text/sentence-text.ts';
import { Callout } from '../ui/Callout.tsx';
import { download } from '../ui/download.ts';
import { Section } from '../ui/Section.tsx';
import classes from './BackUp.module.css';
import { Page } from './Page.tsx';
import { differingParts, pageSettings, setPage } from './page-settings.ts';

interface Opened {
  fileName: string;
  text: string;
  reading: BackUpReading;
}

const nothingRead = { madeAt: null, changes: [], page: {}, leftOut: [] };

/** All settings as one file, and back from it. */
export function BackUp() {
  const { t } = useTranslation(['settings', 'app']);
  const [opened, setOpened] = useState<Opened>();
  const lastLook = useRef(0);
  const save = async (): Promise<void> => {
    const file = await studio.app.backUpSettings({ page: pageSettings() });
    download(file);
    notify({ level: 'success', title: t('backUp.saved', { name: file.fileName }), text: t('backUp.noKeys') });
  };
  const readBackUp = async (file: File): Promise<void> => {
    const number = ++lastLook.current;
    // A wrong file may be a film: it is not even read.
    const isTooLarge = file.size > 2 * longestBackUp;
    const text = isTooLarge ? '' : await file.text();
    const reading =
      isTooLarge || text.length > longestBackUp
        ? { ...nothingRead, problem: 'too_large' as const }
        : await studio.app.compareBackUp({ text });
    // Another file may have been chosen meanwhile.
    if (number === lastLook.current) setOpened({ fileName: file.name, text, reading });
  };
  const read = async ({ text, fileName }: Opened): Promise<void> => {
    const before = pageSettings();
    const { page } = await studio.app.readBackUp({ text });
    setPage(page);
    setOpened(undefined);
    queryClient.setQueryData(['settings'], await studio.app.settings());
    offerUndo('settings', t('backUp.done', { name: fileName }), () =>
      attempt(async () => {
        queryClient.setQueryData(['settings'], await studio.app.undoBackUp());
        setPage(before);
      }),
    );
  };
  return (
    <Page title={t('sections.backUp')} intro={t('backUp.intro')}>
      <Section title={t('backUp.saveTitle')} note={t('backUp.saveNote')}>
        <div>
          <Button leftSection={<IconDownload size={15} />} onClick={() => attempt(save)}>
            {t('backUp.save')}
          </Button>
        </div>
      </Section>
      <Section title={t('backUp.readTitle')} note={t('backUp.readNote')}>
        <div>
          <FileButton
            accept="application/json,.json"
            onChange={(file) => file && attempt(() => readBackUp(file))}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconUpload size={15} />}>
                {t('backUp.read')}
              </Button>
            )}
          </FileButton>
        </div>
      </Section>
      <Modal
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={t('backUp.dialog', { name: opened?.fileName ?? '' })}
        size={640}
        closeButtonProps={{ 'aria-label': t('app:actions.close') }}
      >
        {opened && (
          <Reading
            opened={opened}
            onRead={() => attempt(() => read(opened))}
            onClose={() => setOpened(undefined)}
          />
        )}
      </Modal>
    </Page>
  );
}

/** Preview of the changes that a settings file would make. */
function Reading(props: { opened: Opened; onRead: () => void; onClose: () => void }) {
  const { t } = useTranslation(['settings', 'app']);
  const { t: live } = useTranslation('settings');
  const figures = useFigures();
  const { reading } = props.opened;
  const change = useChangeWords();
  const parts = differingParts(reading.page);
  const rows = [
    ...reading.changes.map(change),
    ...parts.map(({ part, settings }) => ({
      name: live(`backUp.parts.${part}`),
      from: '',
      to: t('backUp.settings', { count: settings.length }),
    })),
  ];
  return (
    <>
      {reading.problem ? (
        <Callout tone="bad" title={t(`backUp.problems.${reading.problem}.title`)}>
          {t(`backUp.problems.${reading.problem}.text`)}
        </Callout>
      ) : (
        <>
          {reading.madeAt !== null && (
            <Text c="dimmed" mb="sm">
              {t('backUp.madeAt', { when: figures.dateTime(reading.madeAt) })}
            </Text>
          )}
          {rows.length === 0 ? (
            <Callout tone="good" title={t('backUp.same')} />
          ) : (
            <table className={classes.changes}>
              <thead>
                <tr>
                  <th scope="col">{t('backUp.columns.name')}</th>
                  <th scope="col">{t('backUp.columns.from')}</th>
                  <th scope="col">{t('backUp.columns.to')}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ name, from, to }) => (
                  <tr key={`${name} ${to}`}>
                    <th scope="row">{name}</th>
                    <td>{from}</td>
                    <td>{to}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {reading.changes.some(({ what }) => what.startsWith('connection')) && (
            <Text c="dimmed" mt="sm">
              {t('backUp.keysNote')}
            </Text>
          )}
          {reading.leftOut.length > 0 && (
            <div className={classes.leftOut}>
              <Callout tone="warn" title={t('backUp.leftOut')}>
                {reading.leftOut.slice(0, 8).map(worded).join(' · ')}
              </Callout>
            </div>
          )}
        </>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" data-autofocus onClick={props.onClose}>
          {rows.length === 0 ? t('app:actions.close') : t('app:actions.cancel')}
        </Button>
        {rows.length > 0 && <Button onClick={props.onRead}>{t('backUp.action')}</Button>}
      </Group>
    </>
  );
}

/** Entries of settings that are lists; the words of the others are pronunciations. */
const listed: Record<string, 'poses' | 'presets'> = {
  poses: 'poses',
  headPresets: 'presets',
  takePresets: 'presets',
};

/** A change as a person reads it. */
function useChangeWords(): (change: SettingChange) => { name: string; from: string; to: string } {
  const { t } = useTranslation(['settings', 'app', 'library', 'takes']);
  const { t: own, i18n } = useTranslation('settings');
  const figures = useFigures();
  const known = (key: string): string | undefined =>
    i18n.exists(key) ? (t as (key: string) => string)(key) : undefined;
  const value = (name: string, json: string): string => {
    const it: unknown = JSON.parse(json);
    if (typeof it === 'boolean') return it ? t('general.on') : t('general.off');
    if (typeof it === 'number') return figures.percent(it / 100);
    if (Array.isArray(it)) return t(`backUp.${listed[name] ?? 'pronunciations'}`, { count: it.length });
    if (name === 'headExport') {
      const { format, names } = it as { format: string; names: string };
      const table = known(
        names === 'as-is' ? 'library:export.asIs' : `library:nameTables.builtIn.${names}.label`,
      );
      return `${known(`library:export.formats.${format}.label`) ?? format}, ${table ?? names}`;
    }
    const text = String(it);
    const words: Record<string, string> = {
      theme: 'app:theme',
      reducedMotion: 'app:motion',
      takeExport: 'takes:formats',
      frameRate: 'settings:drawing.rates',
      drawQuality: 'settings:drawing.qualities',
      defaultHead: 'live:face.own',
      lookForUpdates: 'settings:backUp.agreed',
    };
    if (name === 'language') return languageNames[text as keyof typeof languageNames] ?? text;
    return known(`${words[name]}.${text}`) ?? text;
  };
  return ({ what, name, fields, from, to }) => {
    if (what === 'setting')
      return {
        name: known(`settings:backUp.names.${name}`) ?? name,
        from: value(name, from),
        to: value(name, to),
      };
    if (what === 'default_connection')
      return { name: own('connections.isDefault'), from: JSON.parse(from), to: JSON.parse(to) };
    return {
      name: own('backUp.connection', { name }),
      from,
      to:
        what === 'connection_added'
          ? own('backUp.added')
          : [to, own('backUp.fields', { count: fields.length, names: listedInWords(fields) })]
              .filter((text) => text !== '')
              .join(' · '),
    };
  };
}
