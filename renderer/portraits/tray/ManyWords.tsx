import { Button, Group } from '@mantine/core';
import { IconPencil, IconTag } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Photo } from '#contract';
import { studio } from '../../base/studio.ts';
import { RenameDialog } from '../../ui/dialogs/RenameDialog.tsx';
import { TagsDialog } from '../../ui/dialogs/TagsDialog.tsx';
import type { PhotoSelection } from './photo-list.ts';
import { tagged, undo } from './tagging.ts';

const parts = ['{name}', '{file}', '{folder}', '{sex}', '{number:3}'] as const;

export type ManyDialog = 'tags' | 'rename';

/** Names and tags of all photos that are chosen: by a pattern, and by adding and taking away. */
export function ManyWords(props: {
  photos: readonly Photo[];
  count: number;
  selection: PhotoSelection;
  dialog: ManyDialog | undefined;
  setDialog: (dialog: ManyDialog | undefined) => void;
}) {
  const { t } = useTranslation('portraits');
  const { photos, count, selection, dialog, setDialog } = props;
  const close = (): void => setDialog(undefined);
  return (
    <>
      <Group gap={8}>
        <Button variant="default" leftSection={<IconPencil size={15} />} onClick={() => setDialog('rename')}>
          {t('many.names')}
        </Button>
        <Button variant="default" leftSection={<IconTag size={15} />} onClick={() => setDialog('tags')}>
          {t('many.tags')}
        </Button>
      </Group>
      {dialog === 'rename' && (
        <RenameDialog
          selection={selection}
          parts={parts}
          rename={(pattern, preview) => studio.batch.rename({ selection, pattern, preview })}
          undo={undo}
          scope="portraits"
          onClose={close}
        />
      )}
      {dialog === 'tags' && (
        <TagsDialog
          count={count}
          title={t('tagsOf', { count })}
          known={[...new Set(photos.flatMap(({ tags }) => tags))].sort()}
          onClose={close}
          onTags={(addTags, removeTags) => tagged(selection, { addTags, removeTags })}
        />
      )}
    </>
  );
}
