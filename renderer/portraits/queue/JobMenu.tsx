import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '#contract';
import { ActionItems } from '../../ui/ActionItems.tsx';
import { ContextMenu, type MenuPoint } from '../../ui/ContextMenu.tsx';
import { rowMenuPoint } from '../../ui/lists/row-menu.ts';
import { ConfirmAnew } from './JobCells.tsx';
import { type JobsAt, jobActions } from './job-actions.ts';
import { jobList, jobSelection } from './job-list.ts';

/** The chosen jobs that are here. */
function chosenJobs(): Job[] {
  return [...jobSelection.chosen.ids].flatMap((id) => jobList.at(jobList.indexOf(id)) ?? []);
}

/** The menu of the queue's rows, and what opens it. */
export function useJobMenu(settle: JobsAt['settle']) {
  const [opened, setOpened] = useState<{ point: MenuPoint; jobs: readonly Job[] }>();
  const [anew, setAnew] = useState<Job>();
  const onMenu = (event: MouseEvent<HTMLElement>): void => {
    // Everything is more than is here: then the row alone.
    if (jobSelection.chosen.all) jobSelection.clear();
    const point = rowMenuPoint(event, jobList, jobSelection, ['job-']);
    if (point) setOpened({ point, jobs: chosenJobs() });
  };
  const menu = (
    <>
      <JobMenu
        point={opened?.point}
        at={{ jobs: opened?.jobs ?? [], settle, askAnew: setAnew }}
        onClose={() => setOpened(undefined)}
      />
      <ConfirmAnew job={anew} onClose={() => setAnew(undefined)} />
    </>
  );
  return { menu, onMenu };
}

function JobMenu(props: { point: MenuPoint | undefined; at: JobsAt; onClose: () => void }) {
  const { t } = useTranslation('portraits');
  const { at } = props;
  const [job, ...others] = at.jobs;
  return (
    <ContextMenu
      at={props.point}
      label={
        others.length === 0
          ? t('queue.menu', { name: job?.name || job?.fileName || '' })
          : t('queue.several', { count: at.jobs.length })
      }
      onClose={props.onClose}
    >
      <ActionItems
        table={jobActions}
        at={at}
        groups={[
          [
            'jobs.open',
            'jobs.settle',
            'jobs.retry',
            'jobs.afterAll',
            'jobs.fetch',
            'jobs.anew',
            'jobs.anewHere',
          ],
          ['jobs.toPhoto', 'jobs.up', 'jobs.down'],
          ['jobs.cancel'],
        ]}
      />
    </ContextMenu>
  );
}
