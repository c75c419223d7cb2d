import { Button, Switch } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveAction } from '#contract';
import { liveActions } from '#contract/constants.ts';
import { useAppInfo } from '../../base/studio-queries.ts';
import live from '../Live.module.css';
import { acceleratorOf, expressions, keyOf, perform } from '../live-keys.ts';
import { refusedHotkeys } from '../live-run.ts';
import { changeLive, plainHotkeys, plainKeys, useLiveSettings } from '../live-settings.ts';
import { expressionNow } from '../shown-face.ts';
import { useKeyName } from './KeyHint.tsx';
import classes from './KeysPanel.module.css';

/** Keys that the frame, the stage and the page's controls need. */
const reserved = ['g', '?', '/', '0', '+', '-', 'Escape', 'Tab', 'Enter'];
/** Keys that are held with others, and say nothing by themselves. */
const modifierKeys = [
  'Shift',
  'Control',
  'Alt',
  'AltGraph',
  'Meta',
  'CapsLock',
  'NumLock',
  'Dead',
  'Process',
  'Unidentified',
];

type Kind = 'keys' | 'hotkeys';

/** Every key of Live: what it does, which it is, and which holds in other programs. */
export function KeysPanel() {
  const { t } = useTranslation(['live', 'viewer']);
  const { hotkeysOn, pushToTalk } = useLiveSettings();
  const refused = refusedHotkeys.use();
  const onDesktop = useAppInfo().data?.shell === 'electron';
  const expression = expressionNow.use();
  const isExpression = (action: LiveAction): action is keyof typeof expressions => action in expressions;
  const nameOf = (action: LiveAction): string =>
    isExpression(action) ? t(`viewer:presets.${expressions[action]}`) : t(`live:actions.${action}`);
  const kinds: readonly Kind[] = onDesktop && hotkeysOn ? ['keys', 'hotkeys'] : ['keys'];
  return (
    <>
      <p className={live.note}>{t('live:keys.note')}</p>
      {onDesktop && (
        <Switch
          label={t('live:keys.global')}
          description={t('live:keys.globalNote')}
          checked={hotkeysOn}
          onChange={({ currentTarget: { checked } }) => changeLive({ hotkeysOn: checked })}
        />
      )}
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('live:keys.action')}</th>
            {kinds.map((kind) => (
              <th key={kind} scope="col">
                {t(`live:keys.${kind}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {liveActions.map((action) => (
            <tr key={action}>
              <th scope="row">
                {isExpression(action) ? (
                  <Button
                    variant={expression === expressions[action] ? 'default' : 'subtle'}
                    color="gray"
                    data-on={expression === expressions[action] || undefined}
                    size="compact-sm"
                    aria-pressed={expression === expressions[action]}
                    onClick={() => perform(action)}
                  >
                    {nameOf(action)}
                  </Button>
                ) : (
                  nameOf(action)
                )}
              </th>
              {kinds.map((kind) => (
                <td key={kind}>
                  <KeyField kind={kind} action={action} name={nameOf(action)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {refused.length > 0 && (
        <p className={`${live.note} ${classes.refused}`} role="status">
          {t('live:keys.refused', { actions: refused.map(nameOf).join(t('live:keys.separator')) })}
        </p>
      )}
      {onDesktop && hotkeysOn && pushToTalk && <p className={live.note}>{t('live:keys.talkNote')}</p>}
      <p className={live.note}>{t('live:keys.expressionsNote')}</p>
      <div>
        <Button variant="default" onClick={() => changeLive({ keys: plainKeys, hotkeys: plainHotkeys })}>
          {t('live:keys.reset')}
        </Button>
      </div>
    </>
  );
}

/** A key; pressed, it takes the next key that is pressed. Escape cancels, Delete removes it. */
function KeyField({ kind, action, name }: { kind: Kind; action: LiveAction; name: string }) {
  const { t } = useTranslation('live');
  const nameOf = useKeyName();
  const settings = useLiveSettings();
  const [isAsking, setAsking] = useState(false);
  const keys = settings[kind];
  const take = (key: string): void => {
    setAsking(false);
    // One key does one thing: who had it has none.
    const others = Object.fromEntries(
      Object.entries(keys).map(([other, its]) => [other, its === key ? '' : its]),
    ) as typeof keys;
    changeLive({ [kind]: { ...others, [action]: key } });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isAsking || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (modifierKeys.includes(event.key)) return;
    if (event.key === 'Escape') setAsking(false);
    else if (event.key === 'Delete' || event.key === 'Backspace') take('');
    else if (kind === 'hotkeys') {
      const accelerator = acceleratorOf(event);
      if (accelerator) take(accelerator);
    } else {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isPlain && !reserved.includes(event.key) && !event.key.startsWith('Arrow')) take(keyOf(event));
    }
  };
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={t('keys.of', { action: name, key: keys[action] ? nameOf(keys[action]) : t('keys.none') })}
      data-on={isAsking || undefined}
      onClick={() => setAsking(true)}
      onBlur={() => setAsking(false)}
      onKeyDown={onKeyDown}
      // Space would press the button when it is let go.
      onKeyUp={(event) => isAsking && event.preventDefault()}
    >
      {isAsking ? t('keys.press') : keys[action] ? nameOf(keys[action]) : t('keys.none')}
    </Button>
  );
}
