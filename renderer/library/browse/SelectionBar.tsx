import { ActionIcon, Button, Menu, Modal, Tooltip } from '@mantine/core';
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
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelQuery } from '#contract';
import { canRun } from '../../base/actions.ts';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { ActionItems } from '../../ui/ActionItems.tsx';
import { RenameDialog } from '../../ui/dialogs/RenameDialog.tsx';
import { TagsDialog } from '../../ui/dialogs/TagsDialog.tsx';
import type { Chosen } from '../../ui/lists/selection.ts';
import { type Consent, ConsentFields } from '../dialogs/ConsentFields.tsx';
import { EraseDialog } from '../dialogs/EraseDialog.tsx';
import { ExportDialog } from '../dialogs/ExportDialog.tsx';
import { MakeAgainDialog } from '../dialogs/MakeAgainDialog.tsx';
import { edit, restore, trash, undo } from '../edits.ts';
import { type HeadDialog, type HeadsAt, headActions } from '../head-actions.ts';
import { useCollections, useFacets } from '../library-queries.ts';
import { asSelection, modelSelection } from '../model-list.ts';
import classes from './SelectionBar.module.css';

const icon = { size: 15 } as const;
const compare = headActions.find(({ id }) => id === 'heads.compare')!;
const nameParts = ['{name}', '{file}', '{date}', '{sex}', '{profile}', '{number:3}'] as const;

/** What can be done with the chosen heads, while any are chosen. */
export function SelectionBar(props: {
  chosen: Chosen;
  count: number;
  query: ModelQuery;
  at: HeadsAt;
  dialog: HeadDialog | undefined;
  setDialog: (dialog: HeadDialog | undefined) => void;
}) {
  const { t } = useTranslation(['library', 'app']);
  const { count, query, at, dialog, setDialog } = props;
  const collections = useCollections().data ?? [];
  const known = useFacets(query).data?.tag.map(({ value }) => value) ?? [];
  const selection = asSelection(props.chosen);
  const close = (): void => setDialog(undefined);
  return (
    <>
      <div className={classes.bar} role="toolbar" aria-label={t('bulk.label')}>
        <span className={classes.count} role="status">
          {t('bulk.count', { count })}
        </span>
        {query.trash ? (
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
        ) : (
          <>
            {canRun(compare, at) && (
              <Button
                variant="default"
                leftSection={<IconColumns2 {...icon} />}
                onClick={() => compare.run(at)}
              >
                {t('compare.title')}
              </Button>
            )}
            <Menu position="top">
              <Menu.Target>
                <Button
                  variant="default"
                  leftSection={<IconStar {...icon} />}
                  rightSection={<IconChevronDown size={13} />}
                >
                  {t('bulk.rate')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <ActionItems
                  table={headActions}
                  at={at}
                  groups={[['heads.rate.'], ['heads.pick', 'heads.reject', 'heads.unflag']]}
                />
              </Menu.Dropdown>
            </Menu>
            <Button variant="default" leftSection={<IconTag {...icon} />} onClick={() => setDialog('tags')}>
              {t('bulk.tags')}
            </Button>
            <Menu position="top">
              <Menu.Target>
                <Button
                  variant="default"
                  leftSection={<IconFolderPlus {...icon} />}
                  rightSection={<IconChevronDown size={13} />}
                >
                  {t('bulk.collection')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {collections.length === 0 && <Menu.Label>{t('bulk.noCollections')}</Menu.Label>}
                {collections.map(({ id, name }) => (
                  <Menu.Item key={id} onClick={() => attempt(() => edit(selection, { addCollection: id }))}>
                    {name}
                  </Menu.Item>
                ))}
                {query.collectionId && (
                  <>
                    <Menu.Divider />
                    <Menu.Item
                      onClick={() =>
                        attempt(() => edit(selection, { removeCollection: query.collectionId ?? '' }))
                      }
                    >
                      {t('bulk.takeOut')}
                    </Menu.Item>
                  </>
                )}
              </Menu.Dropdown>
            </Menu>
            <Button
              variant="default"
              leftSection={<IconPencil {...icon} />}
              onClick={() => setDialog('rename')}
            >
              {t('bulk.rename')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconShieldCheck {...icon} />}
              onClick={() => setDialog('consent')}
            >
              {t('bulk.consent')}
            </Button>
            <Menu position="top">
              <Menu.Target>
                <Button
                  variant="default"
                  leftSection={<IconDownload {...icon} />}
                  rightSection={<IconChevronDown size={13} />}
                >
                  {t('bulk.export')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <ActionItems
                  table={headActions}
                  at={at}
                  groups={[['heads.export', 'heads.exportCsv', 'heads.exportJson']]}
                />
              </Menu.Dropdown>
            </Menu>
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
        )}
        <Tooltip label={`${t('bulk.none')}  Esc`}>
          <ActionIcon size={30} aria-label={t('bulk.none')} onClick={() => modelSelection.clear()}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      {dialog === 'rename' && (
        <RenameDialog
          selection={selection}
          parts={nameParts}
          rename={(pattern, preview) => studio.library.rename({ selection, pattern, preview })}
          undo={undo}
          onClose={close}
        />
      )}
      {dialog === 'export' && <ExportDialog selection={selection} count={count} onClose={close} />}
      {dialog === 'tags' && (
        <TagsDialog
          count={count}
          known={known}
          onClose={close}
          onTags={(addTags, removeTags) =>
            edit(selection, {
              ...(addTags.length > 0 ? { addTags } : {}),
              ...(removeTags.length > 0 ? { removeTags } : {}),
            })
          }
        />
      )}
      {dialog === 'consent' && (
        <ConsentDialog count={count} onClose={close} onConsent={(consent) => edit(selection, { consent })} />
      )}
      {dialog === 'makeAgain' && at.heads[0] && <MakeAgainDialog model={at.heads[0]} onClose={close} />}
      {dialog === 'erase' && <EraseDialog selection={selection} count={count} onClose={close} />}
    </>
  );
}

function ConsentDialog(props: {
  count: number;
  onConsent: (consent: Consent) => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation(['library', 'app']);
  const [consent, setConsent] = useState<Consent>({ who: '', basis: '', until: null });
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('consent.dialog', { count: props.count })}
      size={440}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <div className={classes.fields}>
        <ConsentFields consent={consent} onChange={setConsent} />
      </div>
      <div className={classes.answers}>
        <Button variant="default" onClick={props.onClose}>
          {t('app:actions.cancel')}
        </Button>
        <Button
          onClick={() =>
            attempt(async () => {
              await props.onConsent(consent);
              props.onClose();
            })
          }
        >
          {t('consent.action')}
        </Button>
      </div>
    </Modal>
  );
}
