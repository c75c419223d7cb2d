import { ActionIcon, Button, Menu, Popover, TextInput, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBookmark,
  IconGauge,
  IconHistory,
  IconScissors,
} from '@tabler/icons-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EditState } from '#contract';
import { printed } from '../../../base/keyboard.ts';
import { useLatest } from '../../../base/latest.ts';
import { useFigures } from '../../../base/text/number-format.ts';
import { ToolButton } from '../../../ui/ToolButton.tsx';
import { redoLast, undoLast, useTakesHistory } from '../../takes-history.ts';
import classes from './EditTools.module.css';
import type { EditSession } from './edit-session.ts';
import type { TakeEditing } from './take-editing.ts';

const speeds = [0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2];

/** Undo, redo, history, and actions for the selection. */
export const EditTools = memo(function EditTools(props: { session: EditSession; editing: TakeEditing }) {
  const { session, editing } = props;
  const { t } = useTranslation('takes');
  const { canUndo, canRedo } = useTakesHistory();
  const selection = editing.timeline.selection.use((range) => range !== null);
  const isWhole = session.shown.use(({ pieces }) => pieces.length === 0);
  const edit = useLatest((how: (editing: TakeEditing) => void) => how(editing));
  return (
    <div className={classes.tools}>
      <ToolButton
        label={t('editor.undo')}
        keyName={printed('Ctrl+Z')}
        icon={IconArrowBackUp}
        disabled={!canUndo}
        onClick={undoLast}
      />
      <ToolButton
        label={t('editor.redo')}
        keyName={printed('Ctrl+Shift+Z')}
        icon={IconArrowForwardUp}
        disabled={!canRedo}
        onClick={redoLast}
      />
      <Versions session={session} />
      <ToolButton
        label={t('editor.addMarker')}
        keyName={printed('M')}
        icon={IconBookmark}
        onClick={editing.addMarker}
      />
      <ToolButton
        label={t('editor.cut')}
        keyName={printed('Delete')}
        icon={IconScissors}
        disabled={!selection}
        onClick={editing.cut}
      />
      <PiecesMenu hasSelection={selection} isWhole={isWhole} edit={edit} />
    </div>
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

/** Earlier versions that have a name, and naming this one. */
function Versions({ session }: { session: EditSession }) {
  // Most takes have none.
  const versions = session.kept.use((state) => (state?.versions.length ? state.versions : noVersions));
  const name = useLatest(session.nameVersion);
  return <VersionsMenu versions={versions} onName={name} onOpen={useLatest(session.openVersion)} />;
}
const noVersions: EditState['versions'] = [];

const VersionsMenu = memo(function VersionsMenu(props: {
  versions: EditState['versions'];
  onName: (name: string) => void;
  onOpen: (revision: number) => void;
}) {
  const { versions, onName, onOpen } = props;
  const { t } = useTranslation('takes');
  const figures = useFigures();
  const [name, setName] = useState('');
  const save = (): void => {
    if (!name.trim()) return;
    onName(name.trim());
    setName('');
  };
  return (
    <Popover width={280} position="top" trapFocus>
      <Popover.Target>
        <Tooltip label={t('editor.versions')}>
          <ActionIcon aria-label={t('editor.versions')}>
            <IconHistory size={17} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.naming}>
          <TextInput
            label={t('editor.nameVersion')}
            maxLength={120}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
            onKeyDown={({ key }) => {
              if (key === 'Enter') save();
            }}
          />
          <Button variant="default" disabled={!name.trim()} onClick={save}>
            {t('editor.keepVersion')}
          </Button>
        </div>
        <div className={classes.versions}>
          {versions.length === 0 && <p className={classes.quiet}>{t('editor.noVersions')}</p>}
          {versions
            .map(({ name: versionName, revision, at }) => (
              <Button
                key={`${revision} ${versionName}`}
                variant="subtle"
                justify="space-between"
                onClick={() => onOpen(revision)}
                rightSection={<span className={classes.quiet}>{figures.dateTime(at)}</span>}
              >
                {versionName}
              </Button>
            ))
            .reverse()}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
});
