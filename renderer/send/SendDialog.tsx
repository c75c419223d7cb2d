import { Button, Modal, Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SendState } from '#contract';
import { useFigures } from '../base/number-format.ts';
import { studio } from '../base/studio.ts';
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
    <Modal
      opened
      onClose={onClose}
      title={t('send:title')}
      size={720}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <div className={classes.dialog}>
        <p className={classes.note} role="status">
          {t(state.playing ? 'send:now.take' : state.hasFace ? 'send:now.live' : 'send:now.nothing')}
        </p>
        {take && <TakeSending take={take} playing={state.playing} />}
        <Targets targets={state.targets} />
        <Viewers viewers={state.viewers} />
        <Receivers receivers={state.receivers} />
      </div>
    </Modal>
  );
}

/** Sends the chosen take instead of the live face. */
function TakeSending({ take, playing }: { take: SentTake; playing: SendState['playing'] }) {
  const { t } = useTranslation('send');
  const { seconds } = useFigures();
  const [loop, setLoop] = useState(false);
  return (
    <section className={classes.row} aria-label={t('take.label')}>
      {playing ? (
        <Button variant="default" onClick={() => changeSending(() => studio.send.stopTake())}>
          {t('take.stop')}
        </Button>
      ) : (
        <Button onClick={() => changeSending(() => studio.send.playTake({ id: take.id, loop }))}>
          {t('take.send', { name: take.name })}
        </Button>
      )}
      <Switch label={t('take.loop')} checked={loop} onChange={(event) => setLoop(event.currentTarget.checked)} />
      {playing && (
        <span className={classes.traffic}>
          {t('take.at', { seconds: seconds(playing.seconds), length: seconds(playing.length) })}
        </span>
      )}
    </section>
  );
}
