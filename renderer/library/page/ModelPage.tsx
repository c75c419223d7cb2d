import { ActionIcon, Button, Kbd, Loader, Menu, Tabs, Tooltip } from '@mantine/core';
import {
  IconArrowLeft,
  IconChevronLeft,
  IconChevronRight,
  IconDots,
  IconDownload,
  IconMicrophone,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job, Model } from '#contract';
import { canRun, useActions } from '../../base/actions.ts';
import { assetUrl } from '../../base/asset-url.ts';
import { rememberViewedHead } from '../../base/last-viewed-head.ts';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { useKeyNames, withKey } from '../../base/shortcuts/shortcuts.ts';
import { createStore } from '../../base/store.ts';
import { asFailure, studio } from '../../base/studio.ts';
import { usePageTitle } from '../../base/text/page-title.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { ActionItems } from '../../ui/ActionItems.tsx';
import { Callout } from '../../ui/Callout.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useLongList } from '../../ui/lists/long-list.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Stars } from '../../ui/Stars.tsx';
import type { StagedHead } from '../../viewer/HeadViewer.tsx';
import type { Comparison } from '../../viewer/look/Comparison.tsx';
import { HeadViewerOnDemand, MorphPanelOnDemand } from '../../viewer/OnDemand.tsx';
import { OutdatedHead } from '../again/Outdated.tsx';
import { EraseDialog } from '../dialogs/EraseDialog.tsx';
import { ExportDialog } from '../dialogs/ExportDialog.tsx';
import { edit, libraryHistory, restore } from '../edits.ts';
import { Flag } from '../Flag.tsx';
import { type HeadsAt, headActions, headsOnPage, pageActions } from '../head-actions.ts';
import { useModel } from '../library-queries.ts';
import { LookPanel } from '../look/LookPanel.tsx';
import { presentOf, useMaking, versionsOf } from '../look/look-state.ts';
import { MakingOnStage } from '../look/MakingOnStage.tsx';
import { lookActions, useComparison, useMadeNotice } from '../look/on-stage.ts';
import { VersionStrip } from '../look/VersionStrip.tsx';
import { modelList, modelSelection } from '../model-list.ts';
import { ModelDetails } from './ModelDetails.tsx';
import classes from './ModelPage.module.css';
import { ReadinessPanel } from './ReadinessPanel.tsx';

const panels = ['headLook', 'details', 'shapes', 'readiness'] as const;
type Panel = (typeof panels)[number];
/** Stays from head to head, as whoever compares shapes does not want to open them each time. */
const openPanel = createStore<Panel>('headLook');

/** One head, large, with all that is known of it. */
/** @param props.again - Opens Look, where the head is made again. */
export function ModelPage({ id, again }: { id: string; again: boolean }) {
  const { t } = useTranslation(['library', 'app']);
  const { data: model, error } = useModel(id);
  if (error) {
    const { message, hint } = asFailure(error);
    return (
      <>
        <PageHeader title={t('app:pages.library')} back={<Back />} />
        <EmptyState icon={null} title={message} text={hint}>
          <Button onClick={() => go('library')}>{t('backToAll')}</Button>
        </EmptyState>
      </>
    );
  }
  if (!model)
    return (
      <>
        <PageHeader title={t('app:pages.library')} back={<Back />} />
        <Waiting />
      </>
    );
  return <Shown model={model} again={again} />;
}

function Back() {
  const { t } = useTranslation('library');
  return (
    <Tooltip label={`${t('backToAll')}  Esc`}>
      <ActionIcon size={30} aria-label={t('backToAll')} onClick={() => go('library')}>
        <IconArrowLeft size={18} />
      </ActionIcon>
    </Tooltip>
  );
}

/** The heads before and after this one in the list that it was opened from. */
function useNeighbours(id: string): { previous: string | undefined; next: string | undefined; at: number } {
  const listed = useLongList(modelList);
  const at = modelList.indexOf(id);
  useEffect(() => {
    if (at >= 0) modelList.setWindow(Math.max(0, at - 1), at + 1);
  }, [at]);
  return at < 0
    ? { previous: undefined, next: undefined, at }
    : { previous: at > 0 ? listed.at(at - 1)?.id : undefined, next: listed.at(at + 1)?.id, at };
}

const speak = headActions.find(({ id }) => id === 'heads.speak')!;

type PageDialog = 'export' | 'erase';

function Shown({ model, again }: { model: Model; again: boolean }) {
  const { t } = useTranslation('library');
  const { id, state, trashedAt } = model;
  const [head, setHead] = useState<StagedHead | null>(null);
  const [dialog, setDialog] = useState<PageDialog>();
  const making = useMaking(id);
  const keyOf = useKeyNames();
  const comparison = useComparison(model);
  useMadeNotice(model, making.job);
  usePageTitle(model.name);
  const { previous, next, at } = useNeighbours(id);

  useEffect(() => {
    if (again) openPanel.set('headLook');
  }, [again]);
  useEffect(() => {
    if (trashedAt === null && state === 'ok') rememberViewedHead(id);
  }, [id, state, trashedAt]);
  useEffect(() => {
    if (at >= 0) modelSelection.only(at); // going back, the list is where this head is
  }, [at]);
  const heads = headsOnPage(model, (asked) => {
    if (asked === 'export' || asked === 'erase') setDialog(asked);
    else if (asked === 'makeAgain') openPanel.set('headLook');
  });
  useActions('library:page.head', headActions, heads);
  useActions('library:page.head', pageActions, { previous, next });
  useActions('library:page.head', lookActions, { model });
  const versions = versionsOf(model);

  return (
    <>
      <PageHeader
        title={model.name}
        back={<Back />}
        note={
          versions.length > 1 && (
            <span className={classes.versionBadge}>
              {t('headLook.version', { number: presentOf(versions).number })}
            </span>
          )
        }
      >
        <Stars rating={model.rating} onRate={(rating) => rate(id, rating)} />
        {model.flag && <Flag flag={model.flag} />}
        <span className={classes.rule} />
        <GoTo id={previous} label={t('page.previous')} letter={keyOf('page.previous')}>
          <IconChevronLeft size={17} />
        </GoTo>
        <GoTo id={next} label={t('page.next')} letter={keyOf('page.next')}>
          <IconChevronRight size={17} />
        </GoTo>
        <MoreMenu heads={heads} />
        <Button
          variant="default"
          leftSection={<IconDownload size={15} />}
          disabled={state !== 'ok'}
          onClick={() => setDialog('export')}
        >
          {t('bulk.export')}
        </Button>
        <Button
          leftSection={<IconMicrophone size={16} />}
          rightSection={keyOf('heads.speak') && <Kbd size="xs">{keyOf('heads.speak')}</Kbd>}
          disabled={!canRun(speak, heads)}
          onClick={() => speak.run(heads)}
        >
          {t('page.speak')}
        </Button>
      </PageHeader>
      <div className={classes.columns}>
        <section className={classes.stage} data-notice-area aria-label={t('page.head')}>
          <HeadOrFault model={model} comparison={comparison} onHead={setHead} />
          <MakingOnStage job={making.job} onForget={making.forget} />
        </section>
        <VersionStrip model={model} job={making.job} />
        <Panels model={model} head={head} job={making.job} />
      </div>
      <PageDialogs dialog={dialog} model={model} onClose={() => setDialog(undefined)} />
    </>
  );
}

/** To the head before or after this one; disabled where there is none. */
function GoTo(props: { id: string | undefined; label: string; letter: string; children: ReactNode }) {
  const { id, label } = props;
  return (
    <Tooltip label={withKey(label, props.letter)}>
      <ActionIcon disabled={!id} aria-label={label} onClick={() => id && go('library', 'model', id)}>
        {props.children}
      </ActionIcon>
    </Tooltip>
  );
}

function MoreMenu({ heads }: { heads: HeadsAt }) {
  const { t } = useTranslation('library');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={t('page.more')}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ActionItems
          table={headActions}
          at={heads}
          groups={[
            ['heads.speak', 'heads.makeAgain', 'heads.outline'],
            ['heads.pick', 'heads.reject', 'heads.unflag'],
            ['heads.reveal', 'heads.trash', 'heads.restore'],
            ['heads.erase', 'heads.eraseAtOnce'],
          ]}
        />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The head; where its file can't be drawn, why. */
function HeadOrFault({
  model,
  comparison,
  onHead,
}: {
  model: Model;
  comparison: Comparison | undefined;
  onHead: (head: StagedHead | null) => void;
}) {
  const { t } = useTranslation('library');
  const { id, state } = model;
  if (state === 'ok' || state === 'broken_record')
    return (
      <HeadViewerOnDemand
        // Made again, it is another file under the same name.
        url={`${assetUrl(id, 'model')}?v=${model.version}`}
        photoUrl={model.hasPortrait ? assetUrl(id, 'portrait') : undefined}
        photoPart={model.crop ?? undefined}
        name={model.name}
        tools="all"
        comparison={comparison}
        onHead={onHead}
      />
    );
  return (
    <EmptyState
      icon={null}
      title={t(`states.${state}`)}
      text={[t(`stateTexts.${state}`), model.hasPortrait && t('orFromPhoto'), worded(model.fault)]
        .filter(Boolean)
        .join(' ')}
    >
      <Button variant="default" onClick={() => attempt(() => studio.library.reveal({ id }))}>
        {t('reveal')}
      </Button>
    </EmptyState>
  );
}

/** Else its file is missing or can't be read. */
const isShown = ({ state }: Model): boolean => state === 'ok' || state === 'broken_record';

/** Beside the head: what is known of it, its shapes, and what it is ready for. */
function Panels(props: { model: Model; head: StagedHead | null; job: Job | undefined }) {
  const { model, head, job } = props;
  const { t } = useTranslation('library');
  const open = openPanel.use();
  return (
    <Tabs
      value={open === 'headLook' && !model.hasPortrait ? 'details' : open}
      onChange={(value) => openPanel.set((value as Panel | null) ?? 'details')}
      keepMounted={false}
      classNames={{ root: classes.panel ?? '', panel: classes.tab ?? '', list: classes.tabs ?? '' }}
    >
      <Tabs.List aria-label={t('page.panels')}>
        {panels
          .filter((name) => name !== 'headLook' || model.hasPortrait)
          .map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`page.${name}`)}
            </Tabs.Tab>
          ))}
      </Tabs.List>
      <Tabs.Panel value="headLook">
        <LookPanel model={model} job={job} isStaged={head !== null} />
      </Tabs.Panel>
      <Tabs.Panel value="details">
        <Remarks model={model} />
        <OutdatedHead model={model} />
        <ModelDetails key={model.id} model={model} />
      </Tabs.Panel>
      <Tabs.Panel value="shapes">
        {head ? (
          <MorphPanelOnDemand head={head} history={libraryHistory} />
        ) : isShown(model) ? (
          <Waiting />
        ) : (
          <Callout tone="warn" title={t(`states.${model.state}`)} />
        )}
      </Tabs.Panel>
      {/* Nothing in it takes the focus, and it scrolls: the panel itself must be reachable. */}
      <Tabs.Panel value="readiness" tabIndex={0}>
        <ReadinessPanel id={model.id} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** That the head is in the trash, or what is wrong with it although it can be drawn. */
function Remarks({ model: { id, state, fault, trashedAt } }: { model: Model }) {
  const { t } = useTranslation('library');
  return (
    <>
      {trashedAt !== null && (
        <div className={classes.callout}>
          <Callout
            tone="warn"
            title={t('page.inTrash')}
            action={
              <Button variant="default" onClick={() => attempt(() => restore({ ids: [id] }))}>
                {t('bulk.restore')}
              </Button>
            }
          />
        </div>
      )}
      {(state === 'ok' || state === 'broken_record') && fault !== '' && (
        <div className={classes.callout}>
          <Callout tone="warn" title={worded(fault)} />
        </div>
      )}
    </>
  );
}

function PageDialogs(props: { dialog: PageDialog | undefined; model: Model; onClose: () => void }) {
  const { dialog, model, onClose } = props;
  const selection = { ids: [model.id] };
  switch (dialog) {
    case 'export':
      return <ExportDialog selection={selection} count={1} onClose={onClose} />;
    case 'erase':
      return <EraseDialog selection={selection} count={1} onErased={() => go('library')} onClose={onClose} />;
    default:
      return null;
  }
}

function Waiting() {
  const { t } = useTranslation('app');
  return (
    <div className={classes.waiting}>
      <Loader size="sm" color="gray" role="status" aria-label={t('loading')} />
    </div>
  );
}

const rate = (id: string, rating: number): void => attempt(() => edit({ ids: [id] }, { rating }));
