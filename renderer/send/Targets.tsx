import { ActionIcon, Button, NumberInput, Select, Switch, TextInput, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SendTarget, SendTargetFields } from '#contract';
import {
  defaultPorts,
  type SendKind,
  sendKinds,
  sendNames,
  sendRates,
} from '#contract/send/send_constants.ts';
import { attempt } from '../base/notices.tsx';
import { studio } from '../base/studio.ts';
import { useFigures } from '../base/text/number-format.ts';
import { worded } from '../base/text/sentence-text.ts';
import { Callout } from '../ui/Callout.tsx';
import classes from './SendDialog.module.css';
import { changeSending } from './send-state.ts';

/** Programs that get the face, and the form for another one. */
export function Targets({ targets }: { targets: readonly SendTarget[] }) {
  const { t } = useTranslation('send');
  return (
    <section className={classes.section} aria-labelledby="send-targets">
      <h3 id="send-targets">{t('targets.title')}</h3>
      <p className={classes.note}>{t('targets.note')}</p>
      {targets.length > 0 && (
        <ul className={classes.list}>
          {targets.map((target) => (
            <TargetRow key={target.id} target={target} />
          ))}
        </ul>
      )}
      <TargetForm />
    </section>
  );
}

function TargetRow({ target }: { target: SendTarget }) {
  const { t } = useTranslation('send');
  const { number } = useFigures();
  const [tested, setTested] = useState('');
  const [isTesting, setIsTesting] = useState(false);
  const { id, kind, address, port, rate, names, on, packets, dropped, perSecond, problem } = target;
  const name = t('targets.name', { kind: t(`kinds.${kind}`), address, port });
  const test = (): void =>
    attempt(async () => {
      setIsTesting(true);
      try {
        const went = await studio.send.testTarget({ id });
        setTested(t(went.dropped > 0 ? 'targets.testedLost' : 'targets.tested', went));
      } finally {
        setIsTesting(false);
      }
    });
  return (
    <li className={classes.item}>
      <div className={classes.row}>
        <Switch
          aria-label={t('targets.switch', { name })}
          checked={on}
          onChange={(event) => {
            const isOn = event.currentTarget.checked;
            changeSending(() => studio.send.changeTarget({ id, changes: { on: isOn } }));
          }}
        />
        <span className={classes.name}>{name}</span>
        <span className={classes.traffic}>
          {t('targets.rate', { rate })}
          {kind === 'vmc' && ` · ${t(`names.${names}`)}`}
        </span>
        <span className={classes.spacer} />
        <Button size="xs" variant="default" loading={isTesting} onClick={test}>
          {t('targets.test')}
        </Button>
        <Tooltip label={t('targets.remove')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('targets.removeOne', { name })}
            onClick={() => changeSending(() => studio.send.removeTarget({ id }))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      <p className={classes.traffic}>
        {t('targets.traffic', {
          packets: number(packets),
          perSecond: number(perSecond),
          dropped: number(dropped),
        })}
        {tested && ` · ${tested}`}
      </p>
      {problem !== '' && <Callout tone="warn">{worded(problem)}</Callout>}
    </li>
  );
}

const rates = sendRates.map(String);

function TargetForm() {
  const { t } = useTranslation('send');
  const [kind, setKind] = useState<SendKind>('vmc');
  const [address, setAddress] = useState('');
  const [port, setPort] = useState<number>(defaultPorts.vmc);
  const [rate, setRate] = useState<SendTargetFields['rate']>(60);
  const [names, setNames] = useState<SendTargetFields['names']>('vrm');
  const add = (): void =>
    changeSending(async () => {
      const state = await studio.send.addTarget({ kind, address, port, rate, names, on: true });
      setAddress('');
      return state;
    });
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Select
        label={t('form.kind')}
        data={sendKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        value={kind}
        allowDeselect={false}
        onChange={(value) => {
          const chosen = sendKinds.find((one) => one === value) ?? 'vmc';
          setKind(chosen);
          setPort(defaultPorts[chosen]);
        }}
      />
      <TextInput
        label={t('form.address')}
        value={address}
        maxLength={253}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <NumberInput
        label={t('form.port')}
        value={port}
        min={1}
        max={65_535}
        allowDecimal={false}
        hideControls
        onChange={(value) => setPort(Number(value))}
      />
      <Select
        label={t('form.rate')}
        data={rates}
        value={String(rate)}
        allowDeselect={false}
        onChange={(value) => setRate(sendRates.find((one) => String(one) === value) ?? 60)}
      />
      {kind === 'vmc' && (
        <Select
          label={t('form.names')}
          data={sendNames.map((value) => ({ value, label: t(`names.${value}`) }))}
          value={names}
          allowDeselect={false}
          onChange={(value) => setNames(sendNames.find((one) => one === value) ?? 'vrm')}
        />
      )}
      <Button type="submit" variant="default" disabled={address.trim() === ''}>
        {t('form.add')}
      </Button>
    </form>
  );
}
