import { Button, FileButton, Progress, UnstyledButton } from '@mantine/core';
import { Dropzone, type FileRejection } from '@mantine/dropzone';
import { IconFileMusic, IconMicrophone } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, tell } from '../base/notices.tsx';
import { useFigures } from '../base/number-format.ts';
import { go, useRoute } from '../base/route.ts';
import { useTakes } from '../base/studio-queries.ts';
import { EmptyPlace } from '../ui/EmptyPlace.tsx';
import { takesArrows } from '../ui/key-takers.ts';
import { PlaceHeader } from '../ui/PlaceHeader.tsx';
import { DamagedTake } from './DamagedTake.tsx';
import { makeTakes, making, stopMaking } from './making.ts';
import { Strip } from './Strip.tsx';
import { scriptEndings, scriptFiles, setScriptOf } from './speech/read-script.ts';
import { pairedFiles } from './speech/script-pairs.ts';
import { TakePlayer } from './TakePlayer.tsx';
import classes from './Takes.module.css';
import { TakesTrash } from './TakesTrash.tsx';
import { FilmingBar } from './video/FilmingBar.tsx';

const soundFiles = 'audio/*,.wav,.mp3,.flac,.ogg,.m4a';

/** Recordings of voice and face. */
export function Takes() {
  const { t } = useTranslation(['takes', 'app']);
  const figures = useFigures();
  const { rest } = useRoute();
  const { data: takes } = useTakes();
  const isMaking = useIsMaking();
  const chosen = takes?.find(({ id }) => id === rest[0]) ?? takes?.[0];

  const take = (files: readonly File[]): void => {
    const { sounds, alone } = pairedFiles(files);
    if (sounds.length > 0) attempt(() => makeTakes(sounds));
    const [script] = alone;
    if (!script) return;
    if (sounds.length === 0 && alone.length === 1 && chosen && !chosen.damaged) {
      attempt(() => setScriptOf(chosen.id, script));
    } else {
      tell({
        level: 'warning',
        title: t('takes:scriptAlone', { count: alone.length, name: script.name }),
        text: t('takes:scriptAloneText'),
      });
    }
  };
  const refuse = (files: readonly FileRejection[]): void =>
    tell({
      level: 'warning',
      title: t('takes:refusedTitle', { count: files.length, name: files[0]?.file.name ?? '' }),
      text: t('takes:refusedText'),
    });
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!['ArrowUp', 'ArrowDown'].includes(event.key) || event.defaultPrevented) return;
      if (takesArrows(event.target)) return;
      const at = takes?.findIndex(({ id }) => id === chosen?.id) ?? -1;
      const next = takes?.[at + (event.key === 'ArrowDown' ? 1 : -1)];
      if (!next) return;
      event.preventDefault();
      go('takes', next.id);
      list.current?.querySelector<HTMLElement>(`[data-take="${next.id}"]`)?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [takes, chosen?.id]);

  return (
    <>
      <PlaceHeader title={t('app:places.takes')}>
        <FileButton multiple accept={`${soundFiles},${scriptFiles}`} onChange={take}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconFileMusic size={16} />}>
              {t('takes:fromFile')}
            </Button>
          )}
        </FileButton>
        <TakesTrash />
        <Button leftSection={<IconMicrophone size={16} />} onClick={() => go('live')}>
          {t('takes:live')}
        </Button>
      </PlaceHeader>
      <MakingBar />
      <FilmingBar />
      {takes?.length === 0 && !isMaking ? (
        <EmptyPlace icon={<Strip />} title={t('takes:emptyTitle')} text={t('takes:emptyText')}>
          <Button leftSection={<IconMicrophone size={16} />} onClick={() => go('live')}>
            {t('takes:live')}
          </Button>
        </EmptyPlace>
      ) : (
        <div className={classes.columns}>
          <nav ref={list} className={classes.list} aria-label={t('app:places.takes')}>
            {takes?.map((take) => (
              <UnstyledButton
                key={take.id}
                data-take={take.id}
                className={classes.take}
                aria-current={take.id === chosen?.id ? 'true' : undefined}
                onClick={() => go('takes', take.id)}
              >
                <span className={classes.name}>{take.name}</span>
                <span className={classes.quiet}>
                  {take.damaged ? t('takes:unreadable') : figures.seconds(take.seconds)} ·{' '}
                  {figures.dateTime(take.createdAt)}
                </span>
              </UnstyledButton>
            ))}
          </nav>
          {chosen &&
            (chosen.damaged ? <DamagedTake take={chosen} /> : <TakePlayer key={chosen.id} take={chosen} />)}
        </div>
      )}
      <Dropzone.FullScreen
        inputProps={{ 'aria-label': t('takes:drop') }}
        onDrop={take}
        onReject={refuse}
        accept={{
          'audio/*': ['.wav', '.mp3', '.flac', '.ogg', '.m4a'],
          'text/plain': scriptEndings,
        }}
      >
        <p className={classes.drop}>{t('takes:drop')}</p>
      </Dropzone.FullScreen>
    </>
  );
}

/** Only whether: the page is not drawn anew with each step of the bar. */
const useIsMaking = (): boolean => making.use((now) => now !== null);

/** What is made of a sound file now, and how far it is. */
function MakingBar() {
  const { t } = useTranslation(['takes', 'app']);
  const now = making.use();
  if (!now) return null;
  const what = t('takes:making', { name: now.name });
  return (
    <div className={classes.making} role="status">
      <span>
        {what}
        {now.left > 0 && ` · ${t('takes:left', { count: now.left })}`}
      </span>
      <Progress aria-label={what} value={now.percent} />
      <Button variant="default" onClick={stopMaking}>
        {t('app:actions.cancel')}
      </Button>
    </div>
  );
}
