import { SegmentedControl, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EyelidType, Photo, Sex } from '#contract';
import { useKeyNames } from '../../base/shortcuts/shortcuts.ts';
import type { PhotoSelection } from '../board/board-list.ts';
import { tag } from './tagging.ts';
import classes from './WordFields.module.css';

/** Returns the common value of a field, or undefined if the photos differ. */
function shared<K extends 'sex' | 'eyelidType'>(photos: readonly Photo[], field: K): Photo[K] | undefined {
  const first = photos[0]?.[field];
  return photos.every((photo) => photo[field] === first) ? first : undefined;
}

/**
 * Sex and eyelid, by mouse or by the keys beside them: the person's
 * word, for one photo or for all that are chosen.
 */
export function SexAndEyelid(props: { photos: readonly Photo[]; selection: PhotoSelection; note?: boolean }) {
  const { t } = useTranslation('portraits');
  const key = useKeyNames();
  const sex = shared(props.photos, 'sex');
  const eyelid = shared(props.photos, 'eyelidType');
  return (
    <>
      <div className={classes.choice}>
        <p className={classes.label}>{t('sex')}</p>
        <SegmentedControl
          fullWidth
          aria-label={t('sex')}
          value={sex ?? ''}
          data={[
            { value: 'female', label: <Keyed label={t('female')} letter={key('photos.female')} /> },
            { value: 'male', label: <Keyed label={t('male')} letter={key('photos.male')} /> },
          ]}
          onChange={(value) => tag(props.selection, { sex: value as Sex })}
        />
        {props.note && <p className={classes.note}>{t('sexNote')}</p>}
      </div>
      <div className={classes.choice}>
        <p className={classes.label}>
          {t('eyelid')} <span className={classes.note}>{t('optional')}</span>
        </p>
        <SegmentedControl
          fullWidth
          aria-label={t('eyelid')}
          value={eyelid === undefined ? '' : (eyelid ?? 'none')}
          data={[
            { value: 'none', label: t('unset') },
            { value: 'single', label: <Keyed label={t('single')} letter={key('photos.single')} /> },
            { value: 'double', label: <Keyed label={t('double')} letter={key('photos.double')} /> },
          ]}
          onChange={(value) =>
            tag(props.selection, { eyelidType: value === 'none' ? null : (value as EyelidType) })
          }
        />
      </div>
    </>
  );
}

/** A choice and the key that makes it. */
export function Keyed({ label, letter }: { label: string; letter: string }) {
  return (
    <>
      {label} {letter && <kbd className={classes.key}>{letter}</kbd>}
    </>
  );
}

/** Name and tags that the head will have. Kept when the field is left. */
export function NameAndTags({ photo }: { photo: Photo }) {
  const { t } = useTranslation('portraits');
  const [name, setName] = useState(photo.name);
  const keepName = (): void => {
    const trimmed = name.trim();
    // A head without a name of its own is called like its file.
    if (trimmed === '') setName(photo.name);
    else if (trimmed !== photo.name) tag({ ids: [photo.id] }, { name: trimmed });
  };
  return (
    <>
      <TextInput
        label={t('name')}
        placeholder={photo.fileName.replace(/\.\w+$/, '')}
        value={name}
        maxLength={120}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onBlur={keepName}
        onKeyDown={(event) => event.key === 'Enter' && keepName()}
      />
      <TagsInput
        size="xs"
        label={t('tags')}
        value={photo.tags}
        maxTags={50}
        acceptValueOnBlur
        onChange={(tags) => tag({ ids: [photo.id] }, { tags })}
      />
    </>
  );
}
