import { ActionIcon, Button, FileButton, Menu } from '@mantine/core';
import {
  IconCopy,
  IconDots,
  IconFileCheck,
  IconFolders,
  IconPhotoScan,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { go } from '../../base/route.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { searchAfresh } from '../model-list.ts';

export const headFiles = '.glb,.vrm,model/gltf-binary';

/** Actions for the whole library. */
export const BrowseHeader = memo(function BrowseHeader(props: {
  trash: boolean;
  onFiles: (files: File[]) => void;
}) {
  const { t } = useTranslation(['library', 'app']);
  return (
    <PageHeader title={t('app:pages.library')} note={props.trash ? t('facets.trash') : undefined}>
      <FileButton multiple accept={headFiles} onChange={props.onFiles}>
        {(button) => (
          <Button {...button} variant="default" leftSection={<IconUpload size={15} />}>
            {t('import')}
          </Button>
        )}
      </FileButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('keepInOrder')}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconCopy size={15} />} onClick={() => go('library', 'duplicates')}>
            {t('duplicates.title')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFileCheck size={15} />} onClick={() => go('library', 'check')}>
            {t('check.title')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFolders size={15} />} onClick={() => go('library', 'folders')}>
            {t('folders.title')}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={15} />} onClick={() => searchAfresh({ trash: true })}>
            {t('facets.trash')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button leftSection={<IconPhotoScan size={15} />} onClick={() => go('portraits')}>
        {t('makeHeads')}
      </Button>
    </PageHeader>
  );
});
