import { Textarea, TextInput } from '@mantine/core';
import { type ChangeEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import { attempt } from '../base/notices.tsx';
import { studio } from '../base/studio.ts';
import { HeadSelect } from '../live/panels/HeadSelect.tsx';
import classes from './Takes.module.css';

/** What a person writes of a take, and the head it is shown on. */
export function TakeFields(props: { take: Take; modelId: string; onModel: (id: string) => void }) {
  const { t } = useTranslation('takes');
  const { take } = props;
  const name = useSavedText(
    take.name,
    (value) => studio.takes.edit({ id: take.id, changes: { name: value } }),
    (value) => value.trim() !== '',
  );
  const notes = useSavedText(take.notes, (value) =>
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
    </div>
  );
}

/**
 * A field that is saved when it is left: what a text input needs. What was changed elsewhere shows at once.
 *
 * @param isValid false: what was there comes back
 */
function useSavedText(
  saved: string,
  save: (value: string) => Promise<unknown>,
  isValid = (_: string) => true,
) {
  const [value, setValue] = useState(saved);
  const [last, setLast] = useState(saved);
  if (saved !== last) {
    setLast(saved);
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
