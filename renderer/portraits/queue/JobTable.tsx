import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '#contract';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { useListWindow } from '../../ui/lists/list-window.ts';
import type { Listed } from '../../ui/lists/long-list.ts';
import { isChosen, useSelection } from '../../ui/lists/selection.ts';
import { VirtualTable } from '../../ui/lists/VirtualTable.tsx';
import { useVirtualRows } from '../../ui/lists/virtual-rows.ts';
import { JobName, JobPhoto, JobProgress, JobReason, JobTools } from './JobCells.tsx';
import { useJobMenu } from './JobMenu.tsx';
import classes from './JobTable.module.css';
import { useJobDrag } from './job-drag.ts';
import { type JobFilter, jobList, jobSelection } from './job-list.ts';
import { cancelJobs, moveJob, retryJobs } from './job-orders.ts';

const rowHeight = 58; // pixels
const columns = ['photo', 'name', 'progress', 'reason', 'tools'] as const;

/** The jobs in the order in which they run. Drag, or Alt with arrows, puts a queued one elsewhere. */
export function JobTable(props: { listed: Listed<Job, JobFilter>; onSettle: (ids: string[]) => void }) {
  const { t } = useTranslation('portraits');
  const { listed, onSettle } = props;
  const chosen = useSelection(jobSelection);
  const dragOf = useJobDrag();
  const { menu, onMenu } = useJobMenu(onSettle);
  const total = listed.total ?? 0;
  const rows = useVirtualRows({ total, rowHeight });
  useListWindow(jobList, listed, [rows.first, rows.last], rows.scroller);

  const onKey = (event: KeyboardEvent): number | undefined => {
    if (event.target !== event.currentTarget) return undefined; // a button in a row
    const { cursor } = chosen;
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      moveJob(cursor, event.key === 'ArrowUp' ? -1 : 1);
      return undefined;
    }
    const seen = jobSelection.key(event, { total, columns: 1, page: rows.pageSize() });
    if (seen !== undefined) return seen;
    const job = listed.at(cursor);
    const those = [...chosen.ids];
    if (event.key === 'Enter' && job?.modelId) go('library', 'model', job.modelId);
    else if (event.key === 'Enter' && job?.state === 'uncertain') onSettle([job.id]);
    else if (event.key === 'Delete' && those.length > 0) attempt(() => cancelJobs(those));
    else if (event.key.toLowerCase() === 'r' && those.length > 0 && !event.ctrlKey && !event.metaKey)
      retryJobs(those);
    else return undefined;
    event.preventDefault();
    return undefined;
  };

  return (
    <>
      <VirtualTable
        rows={rows}
        label={t('queue.table')}
        className={classes.table}
        line={classes.line}
        columns={columns}
        at={listed.at}
        idOf={({ id }) => `job-${id}`}
        cells={(job, index) => ({
          photo: <JobPhoto job={job} />,
          name: <JobName job={job} />,
          progress: <JobProgress job={job} />,
          reason: <JobReason job={job} />,
          tools: <JobTools job={job} index={index} onSettle={onSettle} />,
        })}
        isSelected={({ id }) => isChosen(chosen, id)}
        multiselectable
        cursor={chosen.cursor}
        rowProps={(job, index) => ({
          ...dragOf(job),
          onClick: (event) => jobSelection.click(event, index, total),
        })}
        onKey={onKey}
        onMenu={onMenu}
      />
      {menu}
    </>
  );
}
