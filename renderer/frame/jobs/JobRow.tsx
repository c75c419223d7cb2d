import { Button, Progress } from '@mantine/core';
import {
  IconApi,
  IconArrowRight,
  IconEye,
  IconMovie,
  IconPhotoPlus,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconSparkles,
  IconWaveSine,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job, JobState } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import { useTake } from '../../base/studio-queries.ts';
import { useFollowedJob } from '../../portraits/queue/followed-job.ts';
import { ToolButton } from '../../ui/ToolButton.tsx';
import classes from './Jobs.module.css';
import type { JobEntry, JobKind } from './job-entries.ts';

const icons: Record<JobKind, typeof IconMovie> = {
  heads: IconSparkles,
  checks: IconEye,
  intake: IconPhotoPlus,
  images: IconSend,
  film: IconMovie,
  take: IconWaveSine,
  analysis: IconWaveSine,
  others: IconApi,
};

/** A row of the popover: a picture, what it is, how far it is, and buttons. */
export function Row(props: {
  picture: ReactNode;
  title: string;
  detail?: string | undefined;
  aside?: string;
  /** A progress bar, or nothing. */
  bar?: ReactNode;
  tone?: 'bad' | 'good';
  children?: ReactNode;
}) {
  return (
    <li className={classes.job}>
      <span className={classes.picture} data-tone={props.tone} aria-hidden>
        {props.picture}
      </span>
      <div className={classes.body}>
        <p className={classes.line}>
          <b>{props.title}</b>
          {props.aside && <span className={classes.aside}>{props.aside}</span>}
        </p>
        {props.detail && <p className={classes.detail}>{props.detail}</p>}
        {props.bar}
      </div>
      <div className={classes.buttons}>{props.children}</div>
    </li>
  );
}

export function JobRow({ job }: { job: JobEntry }) {
  if (job.kind === 'heads') return <HeadsRow job={job} />;
  if (job.analysis) return <AnalysisRow job={job} id={job.analysis.id} />;
  return <Running job={job} />;
}

function AnalysisRow({ job, id }: { job: JobEntry; id: string }) {
  const name = useTake(id).data?.name;
  return <Running job={{ ...job, title: name ? `${job.title}: ${name}` : job.title }} />;
}

/** With the head that is being made now, and its stage. */
function HeadsRow({ job }: { job: JobEntry }) {
  const { t } = useTranslation(['app', 'portraits']);
  const { job: head } = useFollowedJob(movingStates, '', isMoving);
  const stage = head && t(head.stage ? `portraits:stages.${head.stage}` : `portraits:states.${head.state}`);
  const detail = job.paused
    ? t('portraits:queue.paused')
    : head
      ? `${head.name || head.fileName}: ${stage}`
      : t('portraits:states.queued');
  return (
    <Running
      job={{ ...job, detail }}
      picture={head && <img src={assetUrl(head.photoId, 'photo-small')} alt="" />}
    />
  );
}

const movingStates: readonly JobState[] = ['submitting', 'waiting', 'downloading'];
const isMoving = ({ state }: Job): boolean => movingStates.includes(state);

function Running({ job, picture }: { job: JobEntry; picture?: ReactNode }) {
  const { t } = useTranslation();
  const { kind, title, figure, left, share, paused, onPause, onCancel, href } = job;
  const Icon = icons[kind];
  return (
    <Row
      picture={picture ?? <Icon size={18} stroke={1.6} />}
      title={title}
      detail={job.detail}
      aside={[figure, left].filter(Boolean).join(' · ')}
      bar={
        <Progress
          className={classes.bar ?? ''}
          size={4}
          value={100 * (share ?? 0)}
          color={paused ? 'ochre' : 'patina'}
          aria-label={title}
        />
      }
    >
      {onPause && (
        <ToolButton
          label={t(paused ? 'jobs.goOn' : 'jobs.pause')}
          icon={paused ? IconPlayerPlay : IconPlayerPause}
          iconSize={16}
          onClick={onPause}
        />
      )}
      {onCancel && (
        <ToolButton label={t('jobs.cancel', { job: title })} icon={IconX} iconSize={16} onClick={onCancel} />
      )}
      {href && (
        <Button
          component="a"
          href={href}
          variant="default"
          size="compact-sm"
          rightSection={<IconArrowRight size={14} />}
        >
          {t('actions.show')}
        </Button>
      )}
    </Row>
  );
}
