import { CopyButton, MultiSelect, TagsInput, Textarea, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Model } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { attempt } from '../../base/notices.tsx';
import { useFigures } from '../../base/text/number-format.ts';
import { listedInWords } from '../../base/text/sentence-text.ts';
import { Callout } from '../../ui/Callout.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { useOptionWords } from '../again/option-words.ts';
import { ConsentFields } from '../dialogs/ConsentFields.tsx';
import { edit, type ModelChanges } from '../edits.ts';
import { useCollections, useFacets } from '../library-queries.ts';
import classes from './ModelDetails.module.css';

/** Name, tags, notes, consent and where the head came from. Each field is kept when it is left. */
export function ModelDetails({ model }: { model: Model }) {
  const { t } = useTranslation(['library', 'app', 'portraits']);
  const figures = useFigures();
  const { id } = model;
  const [name, setName] = useState(model.name);
  const [notes, setNotes] = useState(model.notes);
  const [consent, setConsent] = useState(model.consent);
  const collections = useCollections().data ?? [];
  const known = useFacets({}).data?.tag.map(({ value }) => value) ?? [];
  const keep = (changes: ModelChanges): void => attempt(() => edit({ ids: [id] }, changes));

  const keepName = (): void => {
    const trimmed = name.trim();
    if (trimmed === '') setName(model.name);
    else if (trimmed !== model.name) keep({ name: trimmed });
  };
  const keepTags = (tags: string[]): void => {
    const addTags = tags.filter((tag) => !model.tags.includes(tag));
    const removeTags = model.tags.filter((tag) => !tags.includes(tag));
    if (addTags.length + removeTags.length > 0)
      keep({ ...(addTags.length > 0 ? { addTags } : {}), ...(removeTags.length > 0 ? { removeTags } : {}) });
  };
  const keepCollections = (now: string[]): void => {
    const added = now.find((one) => !model.collections.includes(one));
    const removed = model.collections.find((one) => !now.includes(one));
    if (added) keep({ addCollection: added });
    else if (removed) keep({ removeCollection: removed });
  };

  const { timings } = model;
  const optionWords = useOptionWords();
  const facts: [string, React.ReactNode][] = [
    [
      t('fields.source'),
      model.source === 'import'
        ? t('sources.import')
        : model.profileId === builtInProfileId
          ? t('app:builtIn')
          : model.profileName,
    ],
    [t('fields.engine'), model.engine],
    [t('fields.options'), listedInWords(optionWords(model.options))],
    [t('fields.file'), model.fileName],
    [t('fields.photos'), model.photos.length > 1 ? <PhotoUses key="photos" photos={model.photos} /> : null],
    [t('fields.sex'), model.sex && t(`sexes.${model.sex}`)],
    [t('fields.eyelidType'), model.eyelidType && t(`eyelids.${model.eyelidType}`)],
    [t('fields.created'), figures.dateTime(model.madeAt)],
    [t('fields.took'), timings.seconds === null ? null : figures.seconds(timings.seconds)],
    [t('fields.cost'), model.cost > 0 ? figures.money(model.cost, model.currency) : null],
    [t('fields.overridden'), listedInWords(model.overridden.map((code) => t(`portraits:findings.${code}`)))],
    [t('fields.size'), figures.bytes(model.bytes)],
    [
      t('fields.remoteModelId'),
      model.profileId !== builtInProfileId && model.remoteModelId && (
        <Copied key="remote" text={model.remoteModelId} />
      ),
    ],
    [t('fields.photoHash'), model.photoHash && <Copied key="hash" text={model.photoHash} />],
  ];

  return (
    <div className={classes.details}>
      <div className={classes.fields}>
        <TextInput
          label={t('fields.name')}
          value={name}
          maxLength={120}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          onBlur={keepName}
          onKeyDown={(event) => event.key === 'Enter' && keepName()}
        />
        <TagsInput
          size="xs"
          label={t('fields.tags')}
          value={model.tags}
          data={known}
          maxTags={50}
          acceptValueOnBlur
          onChange={keepTags}
        />
        <MultiSelect
          label={t('fields.collections')}
          value={model.collections}
          data={collections.map((one) => ({ value: one.id, label: one.name }))}
          nothingFoundMessage={t(collections.length > 0 ? 'bulk.noneFound' : 'bulk.noneMade')}
          onChange={keepCollections}
        />
        <Textarea
          label={t('fields.notes')}
          value={notes}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={20_000}
          onChange={({ currentTarget }) => setNotes(currentTarget.value)}
          onBlur={() => notes !== model.notes && keep({ notes })}
        />
      </div>
      <section aria-labelledby="provenance">
        <h2 id="provenance" className={classes.title}>
          {t('page.provenance')}
        </h2>
        <Facts facts={facts.filter(([, value]) => value !== null && value !== '')} />
      </section>
      <section aria-labelledby="consent">
        <h2 id="consent" className={classes.title}>
          {t('consent.title')}
        </h2>
        <div className={classes.fields}>
          {model.consentExpired && (
            <Callout tone="warn" title={t('consentExpired')}>
              {t('consent.expiredText')}
            </Callout>
          )}
          <ConsentFields
            consent={consent}
            onChange={setConsent}
            onLeave={() => {
              if (JSON.stringify(consent) !== JSON.stringify(model.consent)) keep({ consent });
            }}
          />
        </div>
      </section>
    </div>
  );
}

/** A long id, shortened to the eye and whole to the clipboard. */
function Copied({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <UnstyledButton className={classes.copy} title={text} onClick={copy}>
          <code>{text.length > 20 ? `${text.slice(0, 12)}…${text.slice(-4)}` : text}</code>{' '}
          <span>{copied ? t('actions.copied') : t('actions.copy')}</span>
        </UnstyledButton>
      )}
    </CopyButton>
  );
}

/** Of how many photos it was made, and which were not used, with why. */
function PhotoUses({ photos }: Pick<Model, 'photos'>) {
  const { t, i18n } = useTranslation('portraits');
  const inThisLanguage = ({ en, zh }: { en: string; zh: string }): string =>
    i18n.language === 'zh-CN' ? zh : en;
  const used = photos.filter(({ use }) => use?.used !== false).length;
  const isKnown = photos.some(({ use }) => use !== null);
  return (
    <>
      {isKnown
        ? t('people.usedOf', { used, count: photos.length })
        : t('people.count', { count: photos.length })}
      {photos.map(
        ({ fileName: name, use }) =>
          use?.used === false && (
            <span key={name} className={classes.unused}>
              {use.reason
                ? t('people.unusedWhy', { name, reason: inThisLanguage(use.reason) })
                : t('people.unused', { name })}
            </span>
          ),
      )}
    </>
  );
}
