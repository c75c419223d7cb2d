import { Menu } from '@mantine/core';
import { IconStar } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionItems } from '../../ui/ActionItems.tsx';
import { ContextMenu, type MenuPoint } from '../../ui/ContextMenu.tsx';
import { rowMenuPoint } from '../../ui/lists/row-menu.ts';
import { type HeadsAt, headActions } from '../head-actions.ts';
import { modelList, modelSelection } from '../model-list.ts';

/** Where a right click on the list opens its menu; undefined where no head is under it. */
export const headMenuPoint = (event: MouseEvent<HTMLElement>): MenuPoint | undefined =>
  rowMenuPoint(event, modelList, modelSelection, ['option-', 'model-']);

/** Context menu of the selected heads. */
export function HeadMenu(props: { point: MenuPoint | undefined; at: HeadsAt; onClose: () => void }) {
  const { t } = useTranslation('library');
  const { at } = props;
  const only = at.count === 1 ? at.heads[0] : undefined;
  return (
    <ContextMenu
      at={props.point}
      label={only ? t('act.menu', { name: only.name }) : t('act.selection')}
      onClose={props.onClose}
    >
      <ActionItems
        table={headActions}
        at={at}
        groups={[
          ['heads.open', 'heads.compare', 'heads.speak', 'heads.makeAgain', 'heads.outline'],
          ['heads.pick', 'heads.reject', 'heads.unflag'],
        ]}
      />
      {!at.inTrash && (
        <Menu.Sub>
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<IconStar size={15} />}>{t('bulk.rate')}</Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            <ActionItems table={headActions} at={at} groups={[['heads.rate.']]} />
          </Menu.Sub.Dropdown>
        </Menu.Sub>
      )}
      <Menu.Divider />
      <ActionItems
        table={headActions}
        at={at}
        groups={[
          ['heads.tags', 'heads.rename', 'heads.consent'],
          ['heads.export', 'heads.reveal'],
          ['heads.restore', 'heads.trash', 'heads.erase'],
        ]}
      />
    </ContextMenu>
  );
}
