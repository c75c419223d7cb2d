import { Button, Switch } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveAction } from '#contract';
import { liveActions } from '#contract/constants.ts';
import { shortcutTable } from '../../base/shortcuts/shortcut-table.ts';
import { keysOf } from '../../base/shortcuts/shortcuts.ts';
import { useAppInfo } from '../../base/studio-queries.ts';
import { KeyField } from '../../ui/KeyField.tsx';
import live from '../Live.module.css';
import { acceleratorOf, actionWords, keyOf, tableKeyOf } from '../live-keys.ts';
import { refusedHotkeys } from '../live-run.ts';
import { changeLive, plainHotkeys, plainKeys, useLiveSettings } from '../live-settings.ts';
import { useKeyName } from './KeyHint.tsx';
import classes from './KeysPanel.module.css';

/** True if the frame, the stage or a focused control needs the key, or a sequence begins with it. */
const isReserved = (key: string): boolean =>
  key === 'Tab' ||
  key === 'Enter' ||
  Object.entries(shortcutTable).some(
    ([id, { group, keys }]) =>
      (group === 'anywhere' || group === 'live') &&
      keysOf({ id, keys }).some((its) => its === key || its.startsWith(`${key} `)),
  );

type Kind = 'keys' | 'hotkeys';

/** Every key of Live: what it does, which it is, and which holds in other programs. */
export function KeysPanel() {
  const { t } = useTranslation(['live', 'viewer']);
  const { hotkeysOn, pushToTalk } = useLiveSettings();
  const refused = refusedHotkeys.use();
  const onDesktop = useAppInfo().data?.shell === 'electron';
  const nameOf = (action: LiveAction): string => t(actionWords(action));
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
              <th scope="row">{nameOf(action)}</th>
              {kinds.map((kind) => (
                <td key={kind}>
                  <LiveKeyField kind={kind} action={action} name={nameOf(action)} />
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

/** A key, which Delete removes. */
function LiveKeyField({ kind, action, name }: { kind: Kind; action: LiveAction; name: string }) {
  const { t } = useTranslation('live');
  const nameOf = useKeyName();
  const keys = useLiveSettings()[kind];
  const take = (event: KeyboardEvent): boolean => {
    const key = keyFor(kind, event);
    if (key === null) return false;
    // One key does one thing: who had it has none.
    const others = Object.fromEntries(
      Object.entries(keys).map(([other, its]) => [other, its === key ? '' : its]),
    ) as typeof keys;
    changeLive({ [kind]: { ...others, [action]: key } });
    return true;
  };
  return (
    <KeyField
      label={t('keys.of', { action: name, key: keys[action] ? nameOf(keys[action]) : t('keys.none') })}
      shown={keys[action] && nameOf(keys[action])}
      onKey={take}
    />
  );
}

/** The pressed key as settings keep it; empty for Delete, null if it can't be taken. */
function keyFor(kind: Kind, event: KeyboardEvent): string | null {
  if (event.key === 'Delete' || event.key === 'Backspace') return '';
  if (kind === 'hotkeys') return acceleratorOf(event);
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  const key = keyOf(event);
  return isPlain && !isReserved(tableKeyOf(key)) ? key : null;
}
