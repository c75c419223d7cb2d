import { TagsInput, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ChangeEvent, type KeyboardEvent, memo, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, Take } from '#contract';
import { useLatest } from '../base/latest.ts';
import { attempt } from '../base/notices.tsx';
import { studio } from '../base/studio.ts';
import { HeadSelect } from '../live/panels/HeadSelect.tsx';
import { Stars } from '../ui/Stars.tsx';
import classes from './Takes.module.css';
import { changeTake, type TakeField } from './takes-history.ts';

// Most of what is written of one take is written of the next: nothing, no star, the same head.
const Line = memo(TextInput);
const Lines = memo(Textarea);
const Head = memo(HeadSelect);
const Rating = memo(Stars);
const Tags = memo(TagsInput);
const noTags: string[] = [];
const notesClasses = { input: classes.notes ?? '' };

type Changes = CallInput<'takes', 'edit'>['changes'];

/** Editable fields of a take, and the head that shows it. */
export const TakeFields = memo(function TakeFields(props: {
  take: Take;
  modelId: string;
  onModel: (id: string) => void;
}) {
  const { t } = useTranslation('takes');
  const { take } = props;
  const edit = (field: keyof Changes & TakeField, before: Changes, after: Changes): Promise<void> =>
    changeTake(take.id, field, before, after, (changes) => studio.takes.edit({ id: take.id, changes }));
  const onRate = useLatest((rating: number) =>
    attempt(() => edit('rating', { rating: take.rating }, { rating })),
  );
  const onTags = useLatest((tags: string[]) => attempt(() => edit('tags', { tags: take.tags }, { tags })));
  const known = useQuery({ queryKey: ['take-tags'], queryFn: () => studio.takes.tags(), staleTime: 0 });
  const name = useSavedText(
    take.id,
    take.name,
    (value) => edit('name', { name: take.name }, { name: value }),
    (value) => value.trim() !== '',
  );
  const notes = useSavedText(take.id, take.notes, (value) =>
    edit('notes', { notes: take.notes }, { notes: value }),
  );
  return (
    <div className={classes.fields}>
      <Line label={t('name')} maxLength={120} {...name} onKeyDown={leaveByEnter} />
      <Lines
        label={t('notes')}
        placeholder={t('notesHint')}
        maxLength={20_000}
        classNames={notesClasses}
        {...notes}
      />
      <Head value={props.modelId} onChange={props.onModel} />
      <div className={classes.marks}>
        <Rating rating={take.rating} onRate={onRate} />
        <Tags
          className={classes.tags ?? ''}
          size="xs"
          aria-label={t('list.tags')}
          placeholder={take.tags.length > 0 ? '' : t('list.tags')}
          data={known.data ?? noTags}
          maxTags={50}
          maxLength={60}
          value={take.tags.length > 0 ? take.tags : noTags}
          onChange={onTags}
          acceptValueOnBlur
        />
      </div>
    </div>
  );
});

function leaveByEnter({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void {
  if (key === 'Enter') currentTarget.blur();
}

/**
 * A field that saves when it loses the focus: props of a text input. Changes from elsewhere show at once.
 *
 * @param of id of the object with the text
 * @param isValid false: the previous text returns
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
  const onChange = useCallback(
    ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => setValue(currentTarget.value),
    [],
  );
  const onBlur = useLatest(() => {
    if (!isValid(value)) setValue(saved);
    else if (value !== saved) attempt(() => save(value));
  });
  return { value, onChange, onBlur };
}
