import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import {
  IconChevronDown,
  IconColumns2,
  IconDownload,
  IconFolderPlus,
  IconPencil,
  IconRestore,
  IconShieldCheck,
  IconStar,
  IconTag,
  IconTrash,
  IconTrashX,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelQuery } from '#contract';
import { canRun } from '../../base/actions.ts';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { ActionItems } from '../../ui/ActionItems.tsx';
import type { Chosen } from '../../ui/lists/selection.ts';
import { edit, restore, trash } from '../edits.ts';
import { type HeadDialog, type HeadsAt, headActions } from '../head-actions.ts';
import { useCollections } from '../library-queries.ts';
import { asSelection, type ModelSelection, modelSelection } from '../model-list.ts';
import classes from './SelectionBar.module.css';
import { SelectionDialog } from './SelectionDialog.tsx';

const icon = { size: 15 } as const;
const compare = headActions.find(({ id }) => id === 'heads.compare')!;

interface BarProps {
  selection: ModelSelection;
  query: ModelQuery;
  at: HeadsAt;
  setDialog: (dialog: HeadDialog | undefined) => void;
}

/** Actions for the selected heads; shown while any are selected. */
export function SelectionBar(props: {
  chosen: Chosen;
  count: number;
  query: ModelQuery;
  at: HeadsAt;
  dialog: HeadDialog | undefined;
  setDialog: (dialog: HeadDialog | undefined) => void;
}) {
  const { t } = useTranslation('library');
  const { count, query, at, dialog, setDialog } = props;
  const selection = asSelection(props.chosen);
  const bar: BarProps = { selection, query, at, setDialog };
  return (
    <>
      <div className={classes.bar} data-notice-floor role="toolbar" aria-label={t('bulk.label')}>
        <span className={classes.count} role="status">
          {t('bulk.count', { count })}
        </span>
        {query.trash ? <TrashTools {...bar} /> : <LibraryTools {...bar} />}
        <Tooltip label={`${t('bulk.none')}  Esc`}>
          <ActionIcon size={30} aria-label={t('bulk.none')} onClick={() => modelSelection.clear()}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      {dialog && (
        <SelectionDialog
          dialog={dialog}
          selection={selection}
          count={count}
          query={query}
          head={at.heads[0]}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}

/** Of heads in the trash: back, or gone for good. */
function TrashTools({ selection, setDialog }: BarProps) {
  const { t } = useTranslation('library');
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRestore {...icon} />}
        onClick={() => attempt(() => restore(selection))}
      >
        {t('bulk.restore')}
      </Button>
      <Button
        variant="default"
        color="crimson"
        leftSection={<IconTrashX {...icon} />}
        onClick={() => setDialog('erase')}
      >
        {t('bulk.erase')}
      </Button>
    </>
  );
}

function LibraryTools(props: BarProps) {
  const { t } = useTranslation('library');
  const { selection, at, setDialog } = props;
  return (
    <>
      {canRun(compare, at) && (
        <Button variant="default" leftSection={<IconColumns2 {...icon} />} onClick={() => compare.run(at)}>
          {t('compare.title')}
        </Button>
      )}
      <BarMenu label={t('bulk.rate')} icon={<IconStar {...icon} />}>
        <ActionItems
          table={headActions}
          at={at}
          groups={[['heads.rate.'], ['heads.pick', 'heads.reject', 'heads.unflag']]}
        />
      </BarMenu>
      <Button variant="default" leftSection={<IconTag {...icon} />} onClick={() => setDialog('tags')}>
        {t('bulk.tags')}
      </Button>
      <CollectionMenu {...props} />
      <Button variant="default" leftSection={<IconPencil {...icon} />} onClick={() => setDialog('rename')}>
        {t('bulk.rename')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconShieldCheck {...icon} />}
        onClick={() => setDialog('consent')}
      >
        {t('bulk.consent')}
      </Button>
      <BarMenu label={t('bulk.export')} icon={<IconDownload {...icon} />}>
        <ActionItems
          table={headActions}
          at={at}
          groups={[['heads.export', 'heads.exportCsv', 'heads.exportJson']]}
        />
      </BarMenu>
      <Tooltip label={`${t('bulk.trash')}  Del`}>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('bulk.trash')}
          onClick={() => attempt(() => trash(selection))}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}

/** Adds the heads to a collection, or removes them from the current one. */
function CollectionMenu({ selection, query }: BarProps) {
  const { t } = useTranslation('library');
  const collections = useCollections().data ?? [];
  const { collectionId } = query;
  /** Into a new one, which can be renamed where it is listed. */
  const collect = (): void =>
    attempt(async () => {
      const taken = new Set(collections.map(({ name }) => name));
      const first = t('facets.newCollection');
      let name: string = first;
      for (let number = 2; taken.has(name); number++) name = `${first} ${number}`;
      const { id } = await studio.library.createCollection({
        name,
        ...(query.libraryId ? { libraryId: query.libraryId } : {}),
      });
      await edit(selection, { addCollection: id }, name);
    });
  return (
    <BarMenu label={t('bulk.collection')} icon={<IconFolderPlus {...icon} />}>
      {collections.map(({ id, name }) => (
        <Menu.Item key={id} onClick={() => attempt(() => edit(selection, { addCollection: id }))}>
          {name}
        </Menu.Item>
      ))}
      {collections.length > 0 && <Menu.Divider />}
      <Menu.Item onClick={collect}>{t('facets.newCollection')}</Menu.Item>
      {collectionId && (
        <>
          <Menu.Divider />
          <Menu.Item onClick={() => attempt(() => edit(selection, { removeCollection: collectionId }))}>
            {t('bulk.takeOut')}
          </Menu.Item>
        </>
      )}
    </BarMenu>
  );
}

/** A button of the bar with more under it. */
function BarMenu(props: { label: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Menu position="top">
      <Menu.Target>
        <Button variant="default" leftSection={props.icon} rightSection={<IconChevronDown size={13} />}>
          {props.label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{props.children}</Menu.Dropdown>
    </Menu>
  );
}
