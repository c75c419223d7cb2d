import { isPhone } from '@likeness/proto/speech/phones.ts';
import { ActionIcon, Button, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Settings } from '#contract';
import { attempt } from '../base/notices.tsx';
import { changeSettingsBy, useSettings } from '../base/studio-queries.ts';
import { Page } from './Page.tsx';
import classes from './Pronunciations.module.css';

type Own = Settings['pronunciations'][number];

const save = (change: (all: readonly Own[]) => Own[]): void =>
  attempt(() => changeSettingsBy(({ pronunciations }) => ({ pronunciations: change(pronunciations) })));
const without =
  (word: string) =>
  (all: readonly Own[]): Own[] =>
    all.filter((own) => !same(own.word, word));
const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();
/** The first sound that there is not; null where all are known. Stress marks of a dictionary may stay. */
const unknownPhone = (phones: string): string | null =>
  phones
    .trim()
    .split(/\s+/)
    .find((phone) => !isPhone(phone) && !isPhone(phone.replace(/[0-5]$/, ''))) ?? null;

/** How the person says words that no dictionary has, or other than it has them. */
export function Pronunciations() {
  const { t } = useTranslation('settings');
  const { pronunciations } = useSettings();
  const sorted = pronunciations.toSorted((a, b) => a.word.localeCompare(b.word));
  return (
    <Page title={t('sections.pronunciations')} intro={t('pronunciations.intro')}>
      {sorted.length === 0 ? (
        <Text c="dimmed">{t('pronunciations.none')}</Text>
      ) : (
        <ul className={classes.list}>
          {sorted.map((own) => (
            <OwnPronunciation key={`${own.word} ${own.phones}`} own={own} />
          ))}
        </ul>
      )}
      <NewPronunciation count={pronunciations.length} />
    </Page>
  );
}

/** One of the list: its sounds can be corrected where they stand. */
function OwnPronunciation({ own }: { own: Own }) {
  const { t } = useTranslation('settings');
  const [phones, setPhones] = useState(own.phones);
  const problem = useProblem(phones);
  const keep = (): void => {
    if (problem || phones.trim() === own.phones) return;
    save((all) => [...without(own.word)(all), { word: own.word, phones: phones.trim() }]);
  };
  return (
    <li className={classes.own}>
      <span className={classes.word}>{own.word}</span>
      <TextInput
        aria-label={t('pronunciations.pronunciationOf', { word: own.word })}
        maxLength={300}
        value={phones}
        error={problem}
        onChange={({ currentTarget: { value } }) => setPhones(value)}
        onBlur={keep}
        onKeyDown={({ key }) => {
          if (key === 'Enter') keep();
        }}
      />
      <ActionIcon
        variant="default"
        size={34}
        aria-label={t('pronunciations.remove', { word: own.word })}
        onClick={() => save(without(own.word))}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </li>
  );
}

function NewPronunciation({ count }: { count: number }) {
  const { t } = useTranslation('settings');
  const [made, setMade] = useState<Own>({ word: '', phones: '' });
  const problem = useProblem(made.phones);
  const isWhole = made.word.trim() !== '' && made.phones.trim() !== '' && !problem;
  return (
    <form
      className={classes.made}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWhole) return;
        const own = { word: made.word.trim(), phones: made.phones.trim() };
        save((all) => [...without(own.word)(all), own]);
        setMade({ word: '', phones: '' });
      }}
    >
      <TextInput
        label={t('pronunciations.word')}
        maxLength={60}
        value={made.word}
        onChange={({ currentTarget: { value } }) => setMade((now) => ({ ...now, word: value }))}
      />
      <TextInput
        label={t('pronunciations.phones')}
        placeholder="L AY K N AH S"
        maxLength={300}
        value={made.phones}
        error={made.phones.trim() === '' ? null : problem}
        onChange={({ currentTarget: { value } }) => setMade((now) => ({ ...now, phones: value }))}
      />
      <Button type="submit" variant="default" disabled={!isWhole || count >= 1000}>
        {t('pronunciations.add')}
      </Button>
    </form>
  );
}

/** Returns the fault of typed phones; null if they are valid. */
function useProblem(phones: string): string | null {
  const { t } = useTranslation('settings');
  if (phones.trim() === '') return t('pronunciations.empty');
  const unknown = unknownPhone(phones);
  return unknown === null ? null : t('pronunciations.unknownPhone', { phone: unknown });
}
