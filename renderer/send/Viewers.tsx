import { Button, ColorInput, CopyButton, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SendState } from '#contract';
import { viewerFramings } from '#contract/send/send_constants.ts';
import { studio } from '../base/studio.ts';
import { worded } from '../base/text/sentence-text.ts';
import { Callout } from '../ui/Callout.tsx';
import classes from './SendDialog.module.css';
import { changeSending } from './send-state.ts';

type ViewersState = SendState['viewers'];
/** The green of studios' screens. */
const defaultColour = '#00b140';

/** The page for OBS, and the socket for scripts. */
export function Viewers({ viewers }: { viewers: ViewersState }) {
  const { t } = useTranslation('send');
  const { on, port, appearance, pageUrl, socketUrl, watching, problem } = viewers;
  const change = (changes: Parameters<typeof studio.send.changeViewers>[0]): void =>
    changeSending(() => studio.send.changeViewers(changes));
  return (
    <section className={classes.section} aria-labelledby="send-viewers">
      <h3 id="send-viewers">{t('viewers.title')}</h3>
      <p className={classes.note}>{t('viewers.note')}</p>
      <div className={classes.row}>
        <Switch
          label={t('viewers.on')}
          checked={on}
          onChange={(event) => change({ on: event.currentTarget.checked })}
        />
        <span className={classes.traffic}>{on && t('viewers.watching', { count: watching })}</span>
        <span className={classes.spacer} />
        <NumberInput
          size="xs"
          w={110}
          aria-label={t('viewers.port')}
          value={port}
          min={1}
          max={65_535}
          allowDecimal={false}
          hideControls
          disabled={on}
          onBlur={(event) => {
            const typed = Number(event.currentTarget.value);
            if (typed !== port && typed >= 1 && typed <= 65_535) change({ port: typed });
          }}
        />
      </div>
      {problem !== '' && <Callout tone="bad">{worded(problem)}</Callout>}
      {pageUrl !== '' && <Address label={t('viewers.page')} url={pageUrl} />}
      {socketUrl !== '' && <Address label={t('viewers.socket')} url={socketUrl} />}
      {on && (
        <div className={classes.row}>
          <Select
            size="xs"
            label={t('viewers.framing')}
            data={viewerFramings.map((value) => ({ value, label: t(`viewers.framings.${value}`) }))}
            value={appearance.framing}
            allowDeselect={false}
            onChange={(value) => {
              const framing = viewerFramings.find((one) => one === value);
              if (framing) change({ appearance: { framing } });
            }}
          />
          <ColorInput
            size="xs"
            label={t('viewers.colour')}
            format="hex"
            disabled={appearance.background === 'none'}
            value={appearance.background === 'none' ? defaultColour : appearance.background}
            onChangeEnd={(background) => {
              if (/^#[0-9a-f]{6}$/i.test(background))
                change({ appearance: { background: background.toLowerCase() } });
            }}
          />
          <Switch
            label={t('viewers.transparent')}
            checked={appearance.background === 'none'}
            onChange={(event) =>
              change({ appearance: { background: event.currentTarget.checked ? 'none' : defaultColour } })
            }
          />
          <Switch
            label={t('viewers.mirror')}
            checked={appearance.mirror}
            onChange={(event) => change({ appearance: { mirror: event.currentTarget.checked } })}
          />
          <span className={classes.spacer} />
          <Button
            size="xs"
            variant="subtle"
            onClick={() => changeSending(() => studio.send.renewViewerTokens())}
          >
            {t('viewers.renew')}
          </Button>
        </div>
      )}
    </section>
  );
}

function Address({ label, url }: { label: string; url: string }) {
  const { t } = useTranslation('send');
  return (
    <div className={classes.address}>
      <TextInput
        size="xs"
        label={label}
        value={url}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton value={url}>
        {({ copied, copy }) => (
          <Button
            size="xs"
            variant="default"
            onClick={copy}
            aria-label={t('viewers.copyOne', { what: label })}
          >
            {t(copied ? 'viewers.copied' : 'viewers.copy')}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
