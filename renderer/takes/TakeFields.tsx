import { TagsInput, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ChangeEvent, memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, Take } from '#contract';
import { attempt } from '../base/notices.tsx';
import { studio } from '../base/studio.ts';
import { HeadSelect } from '../live/panels/HeadSelect.tsx';
import { Stars } from '../ui/Stars.tsx';
import classes from './Takes.module.css';

/** What a person writes of a take, and the head it is shown on. */
export const TakeFields = memo(function TakeFields(props: {
  take: Take;
  modelId: string;
  onModel: (id: string) => void;
}) {
  const { t } = useTranslation('takes');
  const { take } = props;
  const edit = (changes: CallInput<'takes', 'edit'>['changes']): void =>
    attempt(() => studio.takes.edit({ id: take.id, changes }));
  const known = useQuery({ queryKey: ['take-tags'], queryFn: () => studio.takes.tags(), staleTime: 0 });
  const name = useSavedText(
    take.id,
    take.name,
    (value) => studio.takes.edit({ id: take.id, changes: { name: value } }),
    (value) => value.trim() !== '',
  );
  const notes = useSavedText(take.id, take.notes, (value) =>
    studio.takes.edit({ id: take.id, changes: { notes: value } }),
  );
  return (
    <div className={classes.fields}>
      <TextInput
        label={t('name')}
        maxLength={120}
        {...name}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') currentTarget.blur();
        }}
      />
      <Textarea
        label={t('notes')}
        placeholder={t('notesHint')}
        maxLength={20_000}
        autosize
        maxRows={3}
        {...notes}
      />
      <HeadSelect value={props.modelId} onChange={props.onModel} />
      <div className={classes.marks}>
        <Stars rating={take.rating} onRate={(rating) => edit({ rating })} />
        <TagsInput
          className={classes.tags ?? ''}
          size="xs"
          aria-label={t('list.tags')}
          placeholder={take.tags.length > 0 ? '' : t('list.tags')}
          data={known.data ?? []}
          maxTags={50}
          maxLength={60}
          value={take.tags}
          onChange={(tags) => edit({ tags })}
          acceptValueOnBlur
        />
      </div>
    </div>
  );
});

/**
 * A field that is saved when it is left: what a text input needs. What was changed elsewhere shows at once.
 *
 * @param of id of what has the text
 * @param isValid false: what was there comes back
 */
function useSavedText(
  of: string,
  saved: string,
  save: (value: string) => Promise<unknown>,
  isValid = (_: string) => true,
) {
  const [value, setValue] = useState(saved);
  const [last, setLast] = useState({ of, saved });
  if (saved !== last.saved || of !== last.of) {
    setLast({ of, saved });
    setValue(saved);
  }
  return {
    value,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setValue(currentTarget.value),
    onBlur: () => {
      if (!isValid(value)) setValue(saved);
      else if (value !== saved) attempt(() => save(value));
    },
  };
}
