import { Button, FileButton, Progress, UnstyledButton } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconFileMusic, IconMicrophone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../app/figures.ts';
import { attempt } from '../app/notices.tsx';
import { queryClient, useProfiles } from '../app/rooms.ts';
import { go, useRoute } from '../app/route.ts';
import { studio } from '../app/studio.ts';
import { liveSettings } from '../live/live-settings.ts';
import { EmptyPlace } from '../ui/EmptyPlace.tsx';
import { PlaceHeader } from '../ui/PlaceHeader.tsx';
import { makeTake } from './make-take.ts';
import { Strip } from './Strip.tsx';
import { TakePlayer } from './TakePlayer.tsx';
import classes from './Takes.module.css';

const soundFiles = 'audio/*,.wav,.mp3,.flac,.ogg,.m4a';

/** Recordings of voice and face. */
export function Takes() {
  const { t } = useTranslation(['takes', 'app']);
  const figures = useFigures();
  const { rest } = useRoute();
  const profiles = useProfiles();
  const { data: takes } = useQuery({ queryKey: ['takes'], queryFn: () => studio.takes.list() });
  const [making, setMaking] = useState<{ name: string; fraction: number } | null>(null);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => studio.takes.onChanged((list) => queryClient.setQueryData(['takes'], list)), []);
  useEffect(() => () => stop.current?.abort(), []);
  const chosen = takes?.find(({ id }) => id === rest[0]) ?? takes?.[0];

  const make = (files: readonly File[]): void =>
    attempt(async () => {
      const { profileId: wanted, modelId } = liveSettings();
      const profileId = profiles.data?.find(({ id }) => id === wanted)?.id ?? 'built-in';
      for (const file of files) {
        const cancel = new AbortController();
        stop.current = cancel;
        setMaking({ name: file.name, fraction: 0 });
        try {
          const id = await makeTake({
            file,
            profileId,
            modelId,
            signal: cancel.signal,
            onProgress: (fraction) => setMaking({ name: file.name, fraction }),
          });
          go('takes', id);
        } finally {
          setMaking(null);
        }
      }
    });

  return (
    <>
      <PlaceHeader title={t('app:places.takes')}>
        <FileButton multiple accept={soundFiles} onChange={make}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<IconFileMusic size={16} />}
              disabled={making !== null}
            >
              {t('takes:fromFile')}
            </Button>
          )}
        </FileButton>
        <Button leftSection={<IconMicrophone size={16} />} onClick={() => go('live')}>
          {t('takes:live')}
        </Button>
      </PlaceHeader>
      {making && (
        <div className={classes.making} role="status">
          <span>{t('takes:making', { name: making.name })}</span>
          <Progress aria-label={t('takes:making', { name: making.name })} value={making.fraction * 100} />
          <Button variant="default" onClick={() => stop.current?.abort()}>
            {t('app:actions.cancel')}
          </Button>
        </div>
      )}
      {takes?.length === 0 && !making ? (
        <EmptyPlace icon={<Strip />} title={t('takes:emptyTitle')} text={t('takes:emptyText')}>
          <Button leftSection={<IconMicrophone size={16} />} onClick={() => go('live')}>
            {t('takes:live')}
          </Button>
        </EmptyPlace>
      ) : (
        <div className={classes.columns}>
          <nav className={classes.list} aria-label={t('app:places.takes')}>
            {takes?.map((take) => (
              <UnstyledButton
                key={take.id}
                className={classes.take}
                aria-current={take.id === chosen?.id ? 'true' : undefined}
                onClick={() => go('takes', take.id)}
              >
                <span className={classes.name}>{take.name}</span>
                <span className={classes.quiet}>
                  {figures.seconds(take.seconds)} · {figures.dateTime(take.createdAt)}
                </span>
              </UnstyledButton>
            ))}
          </nav>
          {chosen && <TakePlayer key={chosen.id} take={chosen} />}
        </div>
      )}
      <Dropzone.FullScreen
        inputProps={{ 'aria-label': t('takes:drop') }}
        onDrop={make}
        accept={{ 'audio/*': ['.wav', '.mp3', '.flac', '.ogg', '.m4a'] }}
      >
        <p className={classes.drop}>{t('takes:drop')}</p>
      </Dropzone.FullScreen>
    </>
  );
}
