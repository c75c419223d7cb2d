import { Button, SegmentedControl, Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SendState } from '#contract';
import { createStore } from '../base/store.ts';
import { studio } from '../base/studio.ts';
import { useFigures } from '../base/text/number-format.ts';
import { MountedModal } from '../ui/dialogs/MountedModal.tsx';
import { Receivers } from './Receivers.tsx';
import classes from './SendDialog.module.css';
import { changeSending } from './send-state.ts';
import { Targets } from './Targets.tsx';
import { Viewers } from './Viewers.tsx';

export interface SentTake {
  id: string;
  name: string;
}

/** Where the face goes, who may watch it, and whose face is received. */
export function SendDialog(props: { state: SendState; take: SentTake | undefined; onClose: () => void }) {
  const { t } = useTranslation(['send', 'app']);
  const { state, take, onClose } = props;
  return (
    <MountedModal
      onClose={onClose}
      title={t('send:title')}
      size={720}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <div className={classes.dialog}>
        <p className={classes.note} role="status">
          {t(`send:now.${sentNow(state)}`)}
        </p>
        {take && <TakeSending take={take} playing={state.playing} />}
        <Targets targets={state.targets} />
        <Viewers viewers={state.viewers} />
        <Receivers receivers={state.receivers} />
      </div>
    </MountedModal>
  );
}

/** The face that is being sent now. */
function sentNow({
  playing,
  hasFace,
  targets,
  viewers,
}: SendState): 'take' | 'live' | 'nothing' | 'nowhere' | 'unwatched' {
  if (!playing && !hasFace) return 'nothing';
  const isSent = targets.some(({ on }) => on);
  if (!isSent && !viewers.on) return 'nowhere';
  // A page that nobody has open gets nothing.
  if (!isSent && viewers.watching === 0) return 'unwatched';
  return playing ? 'take' : 'live';
}

/** Whether a take is sent as it plays in the page, or from its start. */
const followsPlayer = createStore(false);

/** Sends the chosen take instead of the live face. */
function TakeSending({ take, playing }: { take: SentTake; playing: SendState['playing'] }) {
  const { t } = useTranslation('send');
  const { seconds } = useFigures();
  const [loop, setLoop] = useState(false);
  const follow = followsPlayer.use();
  return (
    <section className={classes.row} aria-label={t('take.label')}>
      {playing ? (
        <Button variant="default" onClick={() => changeSending(() => studio.send.stopTake())}>
          {t('take.stop')}
        </Button>
      ) : (
        <Button onClick={() => changeSending(() => studio.send.playTake({ id: take.id, loop, follow }))}>
          {t('take.send', { name: take.name })}
        </Button>
      )}
      {!playing && (
        <SegmentedControl
          aria-label={t('take.from')}
          value={follow ? 'player' : 'start'}
          data={[
            { value: 'start', label: t('take.fromStart') },
            { value: 'player', label: t('take.withPlayer') },
          ]}
          onChange={(value) => followsPlayer.set(value === 'player')}
        />
      )}
      {!follow && (
        <Switch
          label={t('take.loop')}
          checked={loop}
          onChange={(event) => setLoop(event.currentTarget.checked)}
        />
      )}
      {playing?.follows && <span className={classes.note}>{t('take.following')}</span>}
      {playing && (
        <span className={classes.traffic}>
          {t('take.at', { seconds: seconds(playing.seconds), length: seconds(playing.length) })}
        </span>
      )}
    </section>
  );
}
