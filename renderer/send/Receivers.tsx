import { NumberInput, Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Receiver } from '#contract';
import { studio } from '../base/studio.ts';
import { useFigures } from '../base/text/number-format.ts';
import { worded } from '../base/text/sentence-text.ts';
import { Callout } from '../ui/Callout.tsx';
import classes from './SendDialog.module.css';
import { changeSending } from './send-state.ts';

/** Phones and programs whose face drives the head. */
export function Receivers({ receivers }: { receivers: readonly Receiver[] }) {
  const { t } = useTranslation('send');
  return (
    <section className={classes.section} aria-labelledby="send-receive">
      <h3 id="send-receive">{t('receive.title')}</h3>
      <p className={classes.note}>{t('receive.note')}</p>
      <ul className={classes.list}>
        {receivers.map((receiver) => (
          <ReceiverRow key={receiver.kind} receiver={receiver} />
        ))}
      </ul>
    </section>
  );
}

function ReceiverRow({ receiver }: { receiver: Receiver }) {
  const { t } = useTranslation('send');
  const { number } = useFigures();
  const { kind, on, network, packets, perSecond, refused, heardFrom, problem } = receiver;
  const [port, setPort] = useState(receiver.port);
  const name = t(`kinds.${kind}`);
  const set = (changes: Partial<Pick<Receiver, 'on' | 'network'>>): void =>
    changeSending(() => studio.send.receive({ kind, on, port, network, ...changes }));
  return (
    <li className={classes.item}>
      <div className={classes.row}>
        <Switch
          label={t('receive.on', { name })}
          checked={on}
          onChange={(event) => set({ on: event.currentTarget.checked })}
        />
        <span className={classes.spacer} />
        <Switch
          label={t('receive.network')}
          aria-label={t('receive.networkOf', { name })}
          checked={network}
          onChange={(event) => set({ network: event.currentTarget.checked })}
        />
        <NumberInput
          size="xs"
          w={110}
          aria-label={t('receive.port', { name })}
          value={port}
          min={1}
          max={65_535}
          allowDecimal={false}
          hideControls
          disabled={on}
          onChange={(value) => setPort(Number(value))}
        />
      </div>
      {on && (
        <p className={classes.traffic} role="status">
          {heardFrom === ''
            ? t('receive.waiting')
            : t('receive.heard', { from: heardFrom, packets: number(packets), perSecond: number(perSecond) })}
          {refused > 0 && ` · ${t('receive.refused', { count: refused })}`}
        </p>
      )}
      {problem !== '' && <Callout tone="bad">{worded(problem)}</Callout>}
    </li>
  );
}
