import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBookmark,
  IconGauge,
  IconScissors,
} from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLatest } from '../../../base/latest.ts';
import { useFigures } from '../../../base/text/number-format.ts';
import { ToolButton } from '../../../ui/ToolButton.tsx';
import classes from '../../Takes.module.css';
import { redoLast, undoLast, useTakesHistory } from '../../takes-history.ts';
import { SnappingSwitch } from '../snapping/SnappingSwitch.tsx';
import type { TakeEditing } from './take-editing.ts';

const speeds = [0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2];

/** Undo, redo, and what is done at the playhead and with the selection. */
export const EditTools = memo(function EditTools({ editing }: { editing: TakeEditing }) {
  const { t } = useTranslation('takes');
  const { canUndo, canRedo, last, next } = useTakesHistory();
  const selection = editing.timeline.selection.use((range) => range !== null);
  const isWhole = editing.session.shown.use(({ pieces }) => pieces.length === 0);
  const edit = useLatest((how: (editing: TakeEditing) => void) => how(editing));
  return (
    <>
      <div className={classes.group}>
        <ToolButton
          label={last === undefined ? t('editor.undo') : t('editor.undoOf', { what: last })}
          shortcut="takes.undo"
          icon={IconArrowBackUp}
          disabled={!canUndo}
          onClick={undoLast}
        />
        <ToolButton
          label={next === undefined ? t('editor.redo') : t('editor.redoOf', { what: next })}
          shortcut="takes.redo"
          icon={IconArrowForwardUp}
          disabled={!canRedo}
          onClick={redoLast}
        />
      </div>
      <div className={classes.group}>
        <SnappingSwitch />
        <ToolButton
          label={t('editor.cut')}
          shortcut="takes.cut"
          icon={IconScissors}
          disabled={!selection}
          onClick={editing.cut}
        />
        <ToolButton
          label={t('editor.addMarker')}
          shortcut="takes.marker"
          icon={IconBookmark}
          onClick={editing.addMarker}
        />
        <PiecesMenu hasSelection={selection} isWhole={isWhole} edit={edit} />
      </div>
    </>
  );
});

const PiecesMenu = memo(function PiecesMenu(props: {
  hasSelection: boolean;
  isWhole: boolean;
  edit: (how: (editing: TakeEditing) => void) => void;
}) {
  const { hasSelection, isWhole, edit } = props;
  const { t } = useTranslation('takes');
  const figures = useFigures();
  return (
    <Menu position="top">
      <Menu.Target>
        <Tooltip label={t('editor.pieces')}>
          <ActionIcon aria-label={t('editor.pieces')}>
            <IconGauge size={17} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item disabled={!hasSelection} onClick={() => edit((pieces) => pieces.trim())}>
          {t('editor.trim')}
        </Menu.Item>
        <Menu.Item onClick={() => edit((pieces) => pieces.split())}>{t('editor.split')}</Menu.Item>
        <Menu.Label>{t('editor.speedOf')}</Menu.Label>
        {speeds.map((speed) => (
          <Menu.Item
            key={speed}
            disabled={!hasSelection}
            onClick={() => edit((pieces) => pieces.setSpeed(speed))}
          >
            {figures.number(speed, 2)}×
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item disabled={isWhole} onClick={() => edit((pieces) => pieces.wholeAgain())}>
          {t('editor.wholeAgain')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
});
