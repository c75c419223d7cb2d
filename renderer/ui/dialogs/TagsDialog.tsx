import { Button, Group, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt } from '../../base/notices.tsx';
import { MountedModal } from './MountedModal.tsx';

/** Gives tags to many at once, and takes others away. */
export function TagsDialog(props: {
  count: number;
  /** @default of heads */
  title?: string;
  /** Tags to choose from. */
  known: string[];
  onTags: (add: string[], remove: string[]) => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation(['library', 'app']);
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  return (
    <MountedModal
      onClose={props.onClose}
      title={props.title ?? t('tagsDialog.title', { count: props.count })}
      size={440}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <TagsInput
        data-autofocus
        size="xs"
        label={t('tagsDialog.add')}
        description={t('tagsDialog.note')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={props.known}
        maxTags={50}
        // Upwards, and few at once: downwards they lie over the field for removing.
        comboboxProps={{ position: 'top-start', middlewares: { flip: true, shift: true } }}
        maxDropdownHeight={160}
        value={add}
        onChange={setAdd}
        acceptValueOnBlur
        mb="md"
      />
      <TagsInput
        size="xs"
        label={t('tagsDialog.remove')}
        data={props.known}
        maxTags={50}
        value={remove}
        onChange={setRemove}
        acceptValueOnBlur
      />
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={props.onClose}>
          {t('app:actions.cancel')}
        </Button>
        <Button
          disabled={add.length + remove.length === 0}
          onClick={() =>
            attempt(async () => {
              await props.onTags(add, remove);
              props.onClose();
            })
          }
        >
          {t('tagsDialog.action')}
        </Button>
      </Group>
    </MountedModal>
  );
}
