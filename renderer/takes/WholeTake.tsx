import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconDots,
  IconDownload,
  IconFolderOpen,
  IconLayoutSidebarRight,
  IconTrash,
} from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import { useLatest } from '../base/latest.ts';
import { ToolButton } from '../ui/ToolButton.tsx';
import { ExportTakesDialog } from './export/ExportTakesDialog.tsx';
import { useKeyedState } from './keyed-state.ts';
import classes from './Takes.module.css';
import { revealTake, type useTakeExport } from './take-actions.ts';
import { FilmButton } from './video/FilmButton.tsx';

/** What is done with a take as a whole, in the page's header. */
export function WholeTake(props: {
  take: Take;
  /** The head that it is shown on; empty: the default head. */
  modelId: string;
  /** How long it plays. */
  seconds: number;
  exports: ReturnType<typeof useTakeExport>;
  onTrash: () => void;
  /** Null: the inspector is seen anyway. */
  onInspector: (() => void) | null;
}) {
  const { t } = useTranslation('takes');
  const { take, modelId, onInspector } = props;
  return (
    <>
      <FilmButton take={take} modelId={modelId} seconds={props.seconds} />
      <MoreMenu id={take.id} onTrash={useLatest(props.onTrash)} />
      {onInspector && (
        <ToolButton label={t('editor.inspector')} icon={IconLayoutSidebarRight} onClick={onInspector} />
      )}
      <ExportButton id={take.id} modelId={modelId} exports={props.exports} />
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

function ExportButton(props: { id: string; modelId: string; exports: ReturnType<typeof useTakeExport> }) {
  const { id, modelId } = props;
  const [isOpen, setOpen] = useKeyedState(id, false);
  return (
    <>
      <ExportMenu exports={props.exports} onOpen={useLatest(() => setOpen(true))} />
      {isOpen && <ExportTakesDialog ids={[id]} modelId={modelId} onClose={() => setOpen(false)} />}
    </>
  );
}

/** @param props.onOpen the dialog for several formats */
const ExportMenu = memo(function ExportMenu(props: {
  exports: ReturnType<typeof useTakeExport>;
  onOpen: () => void;
}) {
  const { formats, canExport, exportAs } = props.exports;
  const { t } = useTranslation(['takes', 'takeExport']);
  return (
    // In a small window it scrolls: there are more formats than lines.
    <Menu position="bottom-end" middlewares={{ flip: true, shift: true, size: { padding: 8 } }}>
      <Menu.Target>
        <Button leftSection={<IconDownload size={15} />}>{t('export')}</Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.formats ?? ''}>
        <Menu.Item onClick={props.onOpen}>{t('takeExport:open')}</Menu.Item>
        <Menu.Divider />
        {formats.map((format) => (
          <Menu.Item key={format} disabled={!canExport(format)} onClick={() => exportAs(format)}>
            {t(`formats.${format}`)}
            {!canExport(format) && <div className={classes.quiet}>{t('needsWords')}</div>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
