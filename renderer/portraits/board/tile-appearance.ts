/** How a tile looks: its mark, one badge, one remedy, its caption and its ring. */
import { joinMessages } from '@likeness/messages';
import type { TFunction } from 'i18next';
import { createContext, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { BoardTile, Job, PhotoFinding, StudioErrorCode } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { type Figures, useFigures } from '../../base/text/number-format.ts';
import { listedInWords, worded } from '../../base/text/sentence-text.ts';
import { isFree, owedOf } from '../queue/job-state.ts';
import { cropMayHelp, useFindingWords } from '../tray/finding-words.ts';

export type Mark = 'needs' | 'ready' | 'making' | 'wait' | 'paused' | 'done' | 'unusable' | 'checking';
/** A tile's remedy; its button and the context menu start the action of that name. */
export type Remedy = 'crop' | 'outline' | 'another' | 'retry' | 'key' | 'settle';

export interface TileAppearance {
  name: string;
  mark: Mark;
  /** The worst reason; undefined: nothing is wrong with it. */
  badge: { text: string; tone: 'bad' | 'warn' | 'known' } | undefined;
  remedy: Remedy | undefined;
  caption: string;
  /** 0..1; null: no ring; `wait`, `paused`, `eye`: a ring with that sign. */
  ring: number | 'wait' | 'paused' | 'eye' | null;
  /** The head that the tile shows instead of the photo. */
  head: string | null;
  /** Everything there is to say, for a tooltip and for who hears it. */
  all: string;
}

/** State that all tiles share. */
export interface BoardNow {
  paused: boolean;
  /** Jobs wait for the passphrase of the keys, not for a key. */
  locked: boolean;
  /** Milliseconds since 1970, every half a minute. */
  time: number;
}
export const BoardTime = createContext<BoardNow>({ paused: false, locked: false, time: 0 });

/** Failures that another try may get over. */
const passing: ReadonlySet<StudioErrorCode> = new Set([
  'unreachable',
  'timeout',
  'upstream_broken',
  'storage',
  'internal',
  'conflict',
  'cancelled',
  'cap_reached',
]);

const remedyOf = ({ reason, photo, job }: BoardTile): Remedy | undefined => {
  if (reason === 'key_missing' || job?.code === 'key_missing') return 'key';
  if (reason === 'uncertain') return 'settle';
  if (reason === 'cancelled') return 'retry';
  if (reason === 'failed') {
    if (photo?.findings.some(({ code }) => code === 'hair_cut_off' || code === 'face_cut_off'))
      return 'another';
    return job && (owedOf(job) || job.code === null || passing.has(job.code)) ? 'retry' : 'another';
  }
  if (reason === 'several_faces' && photo?.check === 'blocked') return 'crop';
  if (reason === 'uncertain_outline') return 'outline';
  if (reason === 'hair_cut_off' || reason === 'face_cut_off') return 'another';
  return undefined;
};

/** The head of a tile that is done. */
export const headOf = ({ state, job }: Pick<BoardTile, 'state' | 'job'>): string | null =>
  state === 'done' ? (job?.modelId ?? job?.replaces ?? null) : null;

const written = (figures: Figures, { figure, limit, unit }: PhotoFinding): [string, string] | null => {
  if (figure === null || limit === null) return null;
  const of = (value: number): string =>
    `${figures.number(value, Math.abs(value) < 10 ? 2 : 0)}${unit === '°' || unit === '' ? unit : ` ${unit}`}`;
  return [of(figure), of(limit)];
};

/** The formatters of one language. */
interface Words {
  t: TFunction<'portraits'>;
  frame: TFunction<'app'>;
  finding: ReturnType<typeof useFindingWords>;
  figures: Figures;
  since: Intl.RelativeTimeFormat;
  language: string;
}

type Parts = Pick<TileAppearance, 'mark' | 'caption' | 'ring'>;

function ago({ t, since }: Words, at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return t('board.justNow');
  if (minutes < 60) return since.format(-minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? since.format(-hours, 'hour') : since.format(-Math.floor(hours / 24), 'day');
}

/** As short as a tile needs it: “18 s”, “3 minutes”. */
const timeLeft = ({ t, figures }: Words, seconds: number): string =>
  seconds < 90
    ? figures.seconds(Math.round(seconds))
    : t('duration.minutes', { count: Math.round(seconds / 60) });

function placeInLine({ t }: Words, line: number | null): string {
  if (line === null) return t('states.queued');
  return line === 1 ? t('board.next') : t('board.inLine', { count: line });
}

const keyWords = ({ t }: Words, { locked }: BoardNow): string =>
  t(`holdStates.${locked ? 'locked' : 'key_missing'}`);

/** Why a job has ended without a head, or waits for the person. */
function whyStopped({ t, frame, language }: Words, job: Job, reason: BoardTile['reason']): string {
  const owed = owedOf(job);
  const status = owed && (isFree(job) ? t(`orderStatusesHere.${owed}`) : t(`orderStatuses.${owed}`));
  if (reason === 'cancelled') return status ?? t('states.cancelled');
  const text = worded(joinMessages(job.message, job.hint));
  // A row of an earlier version has its reason in English only: elsewhere the kind of failure stands for it.
  const isForeign = typeof job.message === 'string' && !language.startsWith('en');
  if (job.code && (isForeign || text === ''))
    return [frame(`failure.${job.code}`), status].filter(Boolean).join(' · ');
  return text || t(`states.${job.state}`);
}

function ofJob(words: Words, job: Job, tile: BoardTile, now: BoardNow): Parts {
  const { t } = words;
  const { paused, time } = now;
  if (tile.state === 'done') {
    const where = job.profileId !== builtInProfileId && job.profileName;
    const caption = [ago(words, job.changedAt, time), where].filter(Boolean).join(' · ');
    return { mark: 'done', ring: null, caption };
  }
  if (tile.state === 'needs') {
    const isKey = tile.reason === 'key_missing';
    const caption = isKey ? keyWords(words, now) : whyStopped(words, job, tile.reason);
    return { mark: 'needs', ring: null, caption };
  }
  if (job.state === 'queued' || job.inLine)
    return paused
      ? { mark: 'paused', ring: 'paused', caption: t('queue.paused') }
      : { mark: 'wait', ring: 'wait', caption: placeInLine(words, tile.line) };
  const stage = job.stage ? t(`stages.${job.stage}`) : t(`states.${job.state}`);
  const left = job.secondsLeft !== null && job.secondsLeft >= 1 && timeLeft(words, job.secondsLeft);
  return {
    mark: paused ? 'paused' : 'making',
    ring: job.progress,
    // The time comes first: a narrow tile cuts off the end.
    caption: [left, paused ? t('board.finishes') : stage].filter(Boolean).join(' · '),
  };
}

function ofPhoto({ t, figures, finding }: Words, { state, reason, photo }: BoardTile): Parts {
  if (state === 'checking') return { mark: 'checking', ring: 'eye', caption: t('board.checking') };
  if (state === 'needs') {
    const caption = reason === 'several_faces' ? t('board.chooseWho') : t('board.askSex');
    return { mark: 'needs', ring: null, caption };
  }
  if (state === 'unusable') {
    const worst = photo?.findings.find(({ code }) => code === reason);
    const [figure, limit] = (worst && written(figures, worst)) ?? [];
    const name = worst ? finding.name(worst) : (photo?.fileName ?? '');
    const caption = figure && limit ? t('board.measured', { figure, limit }) : name;
    return { mark: 'unusable', ring: null, caption };
  }
  const hasNote = (photo?.findings.length ?? 0) > 0;
  return { mark: 'ready', ring: null, caption: hasNote ? t('board.readyWithNote') : t('board.states.ready') };
}

function ofTile(words: Words, tile: BoardTile, now: BoardNow): Parts {
  const { job, task } = tile;
  if (task?.taskId)
    return { mark: 'done', ring: null, caption: words.t('board.handedIn', { id: task.taskId }) };
  if (task) return { mark: 'needs', ring: null, caption: worded(task.message) };
  return job ? ofJob(words, job, tile, now) : ofPhoto(words, tile);
}

/** The badge of what the check found; none on a photo that is on its way. */
function foundBadge({ t, finding }: Words, { reason, state, photo }: BoardTile): TileAppearance['badge'] {
  const worst = photo?.findings.find(({ code }) => code === reason) ?? photo?.findings[0];
  if (!worst || !['needs', 'ready', 'unusable'].includes(state))
    return photo?.inLibrary && state === 'ready' ? { text: t('board.inLibrary'), tone: 'known' } : undefined;
  const { code, figure, severity } = worst;
  const counts = code === 'several_faces' && figure !== null && severity === 'blocking';
  const text = counts ? t('faces', { count: figure }) : finding.name(worst);
  return { text, tone: state === 'unusable' ? 'bad' : 'warn' };
}

function badgeOf(words: Words, tile: BoardTile, now: BoardNow): TileAppearance['badge'] {
  const { t, frame } = words;
  const { reason, job, task } = tile;
  if (task) return { text: t('board.task'), tone: task.taskId ? 'known' : 'bad' };
  switch (reason) {
    case 'failed': {
      const why = job?.code ? frame(`failure.${job.code}`) : t('states.failed');
      return { text: t('board.failed', { reason: why }), tone: 'bad' };
    }
    case 'uncertain':
    case 'cancelled':
      return { text: t(`states.${reason}`), tone: 'warn' };
    case 'key_missing':
      return { text: keyWords(words, now), tone: 'warn' };
    default:
      return foundBadge(words, tile);
  }
}

function appearanceOf(words: Words, tile: BoardTile, now: BoardNow): TileAppearance {
  const { t, finding } = words;
  const { photo, task, state } = tile;
  const name = photo ? photo.name || photo.fileName : (task?.fileName ?? '');
  const badge = badgeOf(words, tile, now);
  const parts = ofTile(words, tile, now);
  const findings = listedInWords((photo?.findings ?? []).map(finding.name));
  const several = photo && photo.others.length > 0 && t('people.count', { count: 1 + photo.others.length });
  const sex = photo?.sex && state !== 'done' && t(photo.sex);
  const all = [t(`board.states.${state}`), parts.caption, sex, several, badge?.text, findings]
    .filter((part, at, list) => part && list.indexOf(part) === at)
    .join(', ');
  return { name, badge, remedy: remedyOf(tile), head: headOf(tile), ...parts, all };
}

/** @returns A function that says how a tile looks at a moment. */
export function useTileAppearance(): (tile: BoardTile, now: BoardNow) => TileAppearance {
  const { t, i18n } = useTranslation('portraits');
  const { t: frame } = useTranslation();
  const figures = useFigures();
  const finding = useFindingWords();
  const { language } = i18n;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words are of the language
  return useMemo(() => {
    const since = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const words: Words = { t, frame, figures, finding, since, language };
    return (tile, now) => appearanceOf(words, tile, now);
  }, [language]);
}

/** Whether cropping can help a photo. */
export const canCrop = ({ photo, job, state }: BoardTile): boolean =>
  photo !== null &&
  job === null &&
  state !== 'checking' &&
  photo.width > 0 &&
  (photo.crop !== null || cropMayHelp(photo.findings));
