import { useTranslation } from 'react-i18next';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { useBatchOverview } from '../../base/studio-queries.ts';
import { Confirm } from '../../ui/dialogs/Confirm.tsx';
import { RenameDialog } from '../../ui/dialogs/RenameDialog.tsx';
import { TagsDialog } from '../../ui/dialogs/TagsDialog.tsx';
import { useSelection } from '../../ui/lists/selection.ts';
import { SettleDialog } from '../queue/SettleDialog.tsx';
import { tagged, undo } from '../tray/tagging.ts';
import { boardList, boardSelection, chosenIds } from './board-list.ts';
import { ask, cancelNow, closeQuestion, orderAnew, question } from './tile-orders.ts';

const nameParts = ['{name}', '{file}', '{file:title}', '{folder}', '{sex}', '{number:3}'] as const;

/** Asks what became of all photos whose answer was lost. */
export const resolveAll = (): void =>
  attempt(async () => {
    const { jobs } = await studio.batch.jobs({ states: ['uncertain'], offset: 0, limit: 500 });
    if (jobs.length > 0) ask({ kind: 'settle', ids: jobs.map(({ id }) => id) });
  });

/** The question that is open now. */
export function BoardQuestions() {
  const { t } = useTranslation('portraits');
  const asked = question.use();
  const overview = useBatchOverview().data;
  const ids = chosenIds(useSelection(boardSelection));
  const close = closeQuestion;
  switch (asked?.kind) {
    case undefined:
      return null;
    case 'settle':
      return <SettleDialog ids={asked.ids} onClose={close} />;
    case 'anew':
      return (
        <Confirm
          opened
          title={t('queue.anewTitle')}
          text={t('queue.anewText', { id: asked.job.remoteModelId })}
          action={t('queue.anewAction')}
          onConfirm={() => orderAnew(asked.job.id)}
          onClose={close}
        />
      );
    case 'cancelAll':
      return (
        <Confirm
          opened
          title={t('queue.cancelTitle', { count: overview?.open ?? 0 })}
          text={t('queue.cancelText')}
          action={t('queue.cancelAction', { count: overview?.open ?? 0 })}
          keep={t('queue.cancelKeep')}
          onConfirm={() => cancelNow(null)}
          onClose={close}
        />
      );
    case 'forget':
      return (
        <Confirm
          opened
          title={t('queue.forgetTitle', { count: asked.count })}
          text={t('queue.forgetText')}
          action={t('queue.forget')}
          onConfirm={() => studio.batch.clearFinished({ owed: true })}
          onClose={close}
        />
      );
    case 'rename':
      return (
        <RenameDialog
          selection={{ ids }}
          parts={nameParts}
          rename={(rule, preview) => studio.batch.rename({ selection: { ids }, ...rule, preview })}
          undo={undo}
          scope="portraits"
          onClose={close}
        />
      );
    case 'tags': {
      const known = ids.flatMap((id) => boardList.at(boardList.indexOf(id))?.photo?.tags ?? []);
      return (
        <TagsDialog
          count={ids.length}
          title={t('tagsOf', { count: ids.length })}
          known={[...new Set(known)].sort()}
          onClose={close}
          onTags={(addTags, removeTags) => tagged({ ids }, { addTags, removeTags })}
        />
      );
    }
  }
}
