import { Kbd } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { LiveAction } from '#contract';
import { printed } from '../../base/keyboard.ts';
import { useLiveSettings } from '../live-settings.ts';

/** A key as it is printed on the keyboard, or as an accelerator is read: `R`, `Space`, `Ctrl Alt R`. */
export function useKeyName(): (key: string) => string {
  const { t } = useTranslation('live');
  return (key) =>
    printed(key.replace(/(^|\+)[a-z]$/, (letter) => letter.toUpperCase())).replace('Space', t('keys.space'));
}

/** The key of a button's action; nothing if it has none. It is not part of the button's accessible name. */
export function KeyHint({ action }: { action: LiveAction }) {
  const nameOf = useKeyName();
  const key = useLiveSettings().keys[action];
  if (key === '') return null;
  return (
    <Kbd size="xs" aria-hidden>
      {nameOf(key)}
    </Kbd>
  );
}
