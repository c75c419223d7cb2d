import type { FaceState } from '@likeness/proto/live/face_state.ts';
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import {
  IconDots,
  IconDownload,
  IconFolderOpen,
  IconLayoutSidebarRight,
  IconMovie,
  IconTrash,
} from '@tabler/icons-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import { useActions } from '../base/actions.ts';
import { useLatest } from '../base/latest.ts';
import { shortcut } from '../base/shortcuts/shortcut-table.ts';
import { useKeyNames, withKey } from '../base/shortcuts/shortcuts.ts';
import { ToolButton } from '../ui/ToolButton.tsx';
import { ExportTakesDialog } from './export/ExportTakesDialog.tsx';
import { useKeyedState } from './keyed-state.ts';
import { revealTake } from './take-actions.ts';

/** Actions on a whole take, in the page's header. */
export function WholeTake(props: {
  take: Take;
  /** The head that it is shown on; empty: the default head. */
  modelId: string;
  /** How long it plays. */
  seconds: number;
  /** The face at the playhead, and seconds as the take plays. */
  frame: () => { face: () => FaceState | null; at: number };
  onTrash: () => void;
  /** Null: the inspector is seen anyway. */
  onInspector: (() => void) | null;
}) {
  const { t } = useTranslation('takes');
  const { take, modelId, onInspector } = props;
  return (
    <>
      <MoreMenu id={take.id} onTrash={useLatest(props.onTrash)} />
      {onInspector && (
        <ToolButton label={t('editor.inspector')} icon={IconLayoutSidebarRight} onClick={onInspector} />
      )}
      <ExportButton take={take} modelId={modelId} frame={props.frame} seconds={props.seconds} />
    </>
  );
}

const MoreMenu = memo(function MoreMenu(props: { id: string; onTrash: () => void }) {
  const { t } = useTranslation('takes');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={t('more')}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFolderOpen size={15} />} onClick={() => revealTake(props.id)}>
          {t('reveal')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={15} />} onClick={props.onTrash}>
          {t('trash')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
});

/** Opens the dialog of exports; for the palette also with a film ticked. */
function ExportButton(props: {
  take: Take;
  modelId: string;
  frame: () => { face: () => FaceState | null; at: number };
  seconds: number;
}) {
  const { t } = useTranslation('takes');
  const { take, modelId, frame, seconds } = props;
  const keyOf = useKeyNames();
  const [opened, setOpened] = useKeyedState<{ first: 'film' | undefined } | null>(take.id, null);
  const [shown, setShown] = useState<ReturnType<typeof frame>>();
  const open = (first: 'film' | undefined): void => {
    setShown(frame());
    setOpened({ first });
  };
  useActions(
    'pages.takes',
    [
      {
        ...shortcut('takes.export'),
        icon: IconDownload,
        run: () => open(undefined),
      },
      { id: 'takes.film', words: 'takes:film.button', icon: IconMovie, run: () => open('film') },
    ],
    undefined,
  );
  return (
    <>
      <Tooltip label={withKey(t('export'), keyOf('takes.export'))}>
        <Button leftSection={<IconDownload size={15} />} onClick={() => open(undefined)}>
          {t('export')}
        </Button>
      </Tooltip>
      {opened && (
        <ExportTakesDialog
          ids={[take.id]}
          modelId={modelId}
          first={opened.first}
          frame={shown && { ...shown, seconds }}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}
