import { Button, Menu, TextInput } from '@mantine/core';
import {
  IconArrowMerge,
  IconChevronDown,
  IconColumns2,
  IconDownload,
  IconStar,
  IconTag,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { canRun } from '../../base/actions.ts';
import { modifiers } from '../../base/keyboard.ts';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { ActionItems } from '../../ui/ActionItems.tsx';
import { MountedModal } from '../../ui/dialogs/MountedModal.tsx';
import { TagsDialog } from '../../ui/dialogs/TagsDialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { type Chosen, howMany } from '../../ui/lists/selection.ts';
import { ExportTakesDialog } from '../export/ExportTakesDialog.tsx';
import { Strip } from '../Strip.tsx';
import classes from './SeveralTakes.module.css';
import { inListOrder, takeList } from './take-list.ts';
import { type TakesAt, type TakesDialog, takeListActions } from './take-list-actions.ts';
import { joinTakes, markTakes } from './take-marks.ts';

const icon = { size: 15 } as const;

/** Actions for several takes, in place of the player of one. */
export function SeveralTakes({ chosen, at, total }: { chosen: Chosen; at: TakesAt; total: number }) {
  const { t } = useTranslation(['takes', 'library']);
  const count = howMany(chosen, total);
  const run = (id: string) => () => takeListActions.find((action) => action.id === id)?.run(at);
  const offers = (id: string): boolean =>
    takeListActions.some((action) => action.id === id && canRun(action, at));
  const ids = [...chosen.ids];
  return (
    <section className={classes.several} aria-label={t('list.several', { count })}>
      <EmptyState
        icon={<Strip />}
        title={t('list.several', { count })}
        text={t('list.severalText', modifiers)}
      >
        {count === 2 && ids.length === 2 && (
          <Button
            leftSection={<IconColumns2 {...icon} />}
            onClick={() => go('takes', 'compare', ...inListOrder(ids))}
          >
            {t('compare.action')}
          </Button>
        )}
        <MenuButton label={t('library:bulk.rate')} icon={<IconStar {...icon} />}>
          <ActionItems table={takeListActions} at={at} groups={[['takes.rate.']]} />
        </MenuButton>
        <Button variant="default" leftSection={<IconTag {...icon} />} onClick={run('takes.tags')}>
          {t('list.tags')}
        </Button>
        {!chosen.all && <ExportButton ids={inListOrder(ids)} />}
        {offers('takes.join') && !chosen.all && (
          <Button variant="default" leftSection={<IconArrowMerge {...icon} />} onClick={run('takes.join')}>
            {t('list.join')}
          </Button>
        )}
        <Button variant="default" leftSection={<IconTrash {...icon} />} onClick={run('takes.trash')}>
          {t('trash')}
        </Button>
      </EmptyState>
    </section>
  );
}

function ExportButton({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation('takes');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconDownload {...icon} />} onClick={() => setOpen(true)}>
        {t('export')}
      </Button>
      {isOpen && <ExportTakesDialog ids={ids} onClose={() => setOpen(false)} />}
    </>
  );
}

function MenuButton(props: { label: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={props.icon} rightSection={<IconChevronDown size={13} />}>
          {props.label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{props.children}</Menu.Dropdown>
    </Menu>
  );
}

/** Dialogs for the selected takes, opened by a button or key. */
export function TakesDialogs(props: {
  dialog: TakesDialog | undefined;
  at: TakesAt;
  ids: Iterable<string>;
  onClose: () => void;
}) {
  const { t } = useTranslation('takes');
  const { dialog, at, onClose } = props;
  const known = useQuery({
    queryKey: ['take-tags'],
    queryFn: () => studio.takes.tags(),
    enabled: dialog === 'tags',
    staleTime: 0,
  });
  if (dialog === 'tags') {
    return (
      <TagsDialog
        count={at.count}
        title={t('list.tagsOf', { count: at.count })}
        known={known.data ?? []}
        onClose={onClose}
        onTags={(addTags, removeTags) =>
          markTakes(at.selection, {
            ...(addTags.length > 0 && { addTags }),
            ...(removeTags.length > 0 && { removeTags }),
          })
        }
      />
    );
  }
  if (dialog === 'join') return <JoinDialog ids={inListOrder([...props.ids])} onClose={onClose} />;
  return null;
}

function JoinDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation(['takes', 'app']);
  const inOrder = ids.map((id) => takeList.at(takeList.indexOf(id))?.name ?? '');
  const [isReverse, setReverse] = useState(true);
  const [name, setName] = useState(inOrder[0] ?? '');
  const [isBusy, setBusy] = useState(false);
  const order = isReverse ? [...ids].reverse() : [...ids];
  const names = isReverse ? inOrder.toReversed() : inOrder;
  const join = (): void => {
    setBusy(true);
    attempt(() =>
      joinTakes(order, name.trim())
        .then(onClose)
        .finally(() => setBusy(false)),
    );
  };
  return (
    <MountedModal
      onClose={onClose}
      title={t('list.joinTitle', { count: ids.length })}
      size={440}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          join();
        }}
      >
        <TextInput
          data-autofocus
          label={t('name')}
          maxLength={120}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          mb="md"
        />
        <p className={classes.quiet}>{t('list.joinOrder')}</p>
        <ol className={classes.order}>
          {names.map((one, index) => (
            <li key={order[index]}>{one}</li>
          ))}
        </ol>
        <div className={classes.answers}>
          <Button variant="default" onClick={() => setReverse(!isReverse)}>
            {t('list.turnRound')}
          </Button>
          <span className={classes.space} />
          <Button variant="default" onClick={onClose}>
            {t('app:actions.cancel')}
          </Button>
          <Button type="submit" loading={isBusy} disabled={name.trim() === ''}>
            {t('list.join')}
          </Button>
        </div>
      </form>
    </MountedModal>
  );
}
