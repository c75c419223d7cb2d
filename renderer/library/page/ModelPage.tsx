import { ActionIcon, Button, Loader, Menu, Tabs, Tooltip } from '@mantine/core';
import {
  IconArrowLeft,
  IconChevronLeft,
  IconChevronRight,
  IconDots,
  IconDownload,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Model } from '#contract';
import { useActions } from '../../base/actions.ts';
import { assetUrl } from '../../base/asset-url.ts';
import { rememberViewedHead } from '../../base/last-viewed-head.ts';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { createStore } from '../../base/store.ts';
import { asFailure, studio } from '../../base/studio.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { ActionItems } from '../../ui/ActionItems.tsx';
import { Callout } from '../../ui/Callout.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useLongList } from '../../ui/lists/long-list.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Stars } from '../../ui/Stars.tsx';
import type { StagedHead } from '../../viewer/HeadViewer.tsx';
import { HeadViewerOnDemand, MorphPanelOnDemand } from '../../viewer/OnDemand.tsx';
import { EarlierVersions } from '../again/EarlierVersions.tsx';
import { MakeAgainDialog } from '../again/MakeAgainDialog.tsx';
import { OutdatedHead } from '../again/Outdated.tsx';
import { EraseDialog } from '../dialogs/EraseDialog.tsx';
import { ExportDialog } from '../dialogs/ExportDialog.tsx';
import { edit, restore } from '../edits.ts';
import { Flag } from '../Flag.tsx';
import { type HeadsAt, headActions, pageActions } from '../head-actions.ts';
import { useModel } from '../library-queries.ts';
import { modelList, modelSelection } from '../model-list.ts';
import { ModelDetails } from './ModelDetails.tsx';
import classes from './ModelPage.module.css';
import { ReadinessPanel } from './ReadinessPanel.tsx';

const panels = ['details', 'shapes', 'readiness'] as const;
type Panel = (typeof panels)[number];
/** Stays from head to head, as whoever compares shapes does not want to open them each time. */
const openPanel = createStore<Panel>('details');

/** One head, large, with all that is known of it. */
/** @param props.again - Begins with the dialog that makes the head again. */
export function ModelPage({ id, again }: { id: string; again: boolean }) {
  const { t } = useTranslation(['library', 'app']);
  const { data: model, error } = useModel(id);
  if (error) {
    const { message, hint } = asFailure(error);
    return (
      <>
        <PageHeader title={t('app:pages.library')}>
          <Back />
        </PageHeader>
        <EmptyState icon={null} title={message} text={hint}>
          <Button onClick={() => go('library')}>{t('backToAll')}</Button>
        </EmptyState>
      </>
    );
  }
  if (!model)
    return (
      <>
        <PageHeader title={t('app:pages.library')}>
          <Back />
        </PageHeader>
        <Waiting />
      </>
    );
  return <Shown model={model} again={again} />;
}

function Back() {
  const { t } = useTranslation('library');
  return (
    <Button variant="default" leftSection={<IconArrowLeft size={15} />} onClick={() => go('library')}>
      {t('backToAll')}
    </Button>
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

type PageDialog = 'export' | 'erase' | 'makeAgain';

function Shown({ model, again }: { model: Model; again: boolean }) {
  const { t } = useTranslation('library');
  const { id, state, trashedAt } = model;
  const [head, setHead] = useState<StagedHead | null>(null);
  const [dialog, setDialog] = useState<PageDialog | undefined>(again ? 'makeAgain' : undefined);
  const { previous, next, at } = useNeighbours(id);

  useEffect(() => {
    if (trashedAt === null && state === 'ok') rememberViewedHead(id);
  }, [id, state, trashedAt]);
  useEffect(() => {
    if (at >= 0) modelSelection.only(at); // going back, the list is where this head is
  }, [at]);
  const heads: HeadsAt = {
    selection: { ids: [id] },
    count: 1,
    heads: [model],
    inTrash: trashedAt !== null,
    onPage: true,
    ask: (asked) => (asked === 'export' || asked === 'erase' || asked === 'makeAgain') && setDialog(asked),
  };
  useActions('library:page.head', headActions, heads);
  useActions('library:page.head', pageActions, { previous, next });

  return (
    <>
      <PageHeader title={model.name}>
        <Stars rating={model.rating} onRate={(rating) => rate(id, rating)} />
        {model.flag && <Flag flag={model.flag} />}
        <span className={classes.rule} />
        <GoTo id={previous} label={t('page.previous')} letter="[">
          <IconChevronLeft size={17} />
        </GoTo>
        <GoTo id={next} label={t('page.next')} letter="]">
          <IconChevronRight size={17} />
        </GoTo>
        <Back />
        <MoreMenu heads={heads} />
        <Button
          leftSection={<IconDownload size={15} />}
          disabled={state !== 'ok'}
          onClick={() => setDialog('export')}
        >
          {t('bulk.export')}
        </Button>
      </PageHeader>
      <div className={classes.columns}>
        <section className={classes.stage} data-notice-area aria-label={t('page.head')}>
          <HeadOrFault model={model} onHead={setHead} />
        </section>
        <Panels model={model} head={head} />
      </div>
      <PageDialogs dialog={dialog} model={model} onClose={() => setDialog(undefined)} />
    </>
  );
}

/** To the head before or after this one; disabled where there is none. */
function GoTo(props: { id: string | undefined; label: string; letter: string; children: ReactNode }) {
  const { id, label } = props;
  return (
    <Tooltip label={`${label}  ${props.letter}`}>
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
function HeadOrFault({ model, onHead }: { model: Model; onHead: (head: StagedHead | null) => void }) {
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
function Panels({ model, head }: { model: Model; head: StagedHead | null }) {
  const { t } = useTranslation('library');
  return (
    <Tabs
      value={openPanel.use()}
      onChange={(value) => openPanel.set((value as Panel | null) ?? 'details')}
      keepMounted={false}
      classNames={{ root: classes.panel ?? '', panel: classes.tab ?? '', list: classes.tabs ?? '' }}
    >
      <Tabs.List aria-label={t('page.panels')}>
        {panels.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t(`page.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="details">
        <Remarks model={model} />
        <OutdatedHead model={model} />
        <ModelDetails key={model.id} model={model} />
        <EarlierVersions model={model} />
      </Tabs.Panel>
      <Tabs.Panel value="shapes">
        {head ? (
          <MorphPanelOnDemand head={head} />
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
    case 'makeAgain':
      return <MakeAgainDialog selection={selection} count={1} model={model} onClose={onClose} />;
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
