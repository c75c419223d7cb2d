import { Button } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

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

/** A shortcut as a button; pressed, it takes the next key that is pressed. Escape cancels, Tab leaves. */
export function KeyField(props: {
  label: string;
  /** The present key; empty if there is none. */
  shown: ReactNode;
  /** Takes a key. Returns false if it ignores this one and waits for another. */
  onKey: (event: KeyboardEvent) => boolean;
}) {
  const { t } = useTranslation('live');
  const [isAsking, setAsking] = useState(false);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isAsking || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (modifierKeys.includes(event.key)) return;
    if (event.key === 'Escape' || props.onKey(event)) setAsking(false);
  };
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={props.label}
      data-on={isAsking || undefined}
      data-takes-keys={isAsking || undefined}
      onClick={() => setAsking(true)}
      onBlur={() => setAsking(false)}
      onKeyDown={onKeyDown}
      // Space would press the button when it is let go.
      onKeyUp={(event) => isAsking && event.preventDefault()}
    >
      {isAsking ? t('keys.press') : props.shown || t('keys.none')}
    </Button>
  );
}
