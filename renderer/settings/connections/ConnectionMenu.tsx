import { ActionIcon, Menu } from '@mantine/core';
import { IconCopy, IconDots, IconDownload, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Profile } from '#contract';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { download } from '../../ui/download.ts';

/** More actions for a connection. */
export function ConnectionMenu(props: {
  profile: Profile;
  onDelete: () => void;
  onDuplicated: (copy: Profile) => void;
}) {
  const { t } = useTranslation(['settings', 'app']);
  const { id, builtIn } = props.profile;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={t('connections.more')}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconCopy size={15} />}
          onClick={() => attempt(async () => props.onDuplicated(await studio.connections.duplicate({ id })))}
        >
          {t('connections.duplicate')}
        </Menu.Item>
        {!builtIn && (
          <>
            <Menu.Item
              leftSection={<IconDownload size={15} />}
              onClick={() =>
                attempt(async () => download(await studio.connections.exportProfiles({ ids: [id] })))
              }
            >
              {t('connections.exportOne')}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item color="crimson" leftSection={<IconTrash size={15} />} onClick={props.onDelete}>
              {t('connections.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
