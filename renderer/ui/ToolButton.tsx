import { ActionIcon, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { memo } from 'react';
import { useLatest } from '../base/latest.ts';
import type { ShortcutId } from '../base/shortcuts/shortcut-table.ts';
import { useKeyNames, withKey } from '../base/shortcuts/shortcuts.ts';

interface Appearance {
  label: string;
  /** The shortcut that does the same; the tooltip shows its key. */
  shortcut?: ShortcutId;
  icon: Icon;
  /** Pixels of the picture. @default 17 */
  iconSize?: number;
  /** Pixels of the button; its theme's by default. */
  size?: number;
  disabled?: boolean;
}

/** A button with a picture, which says what it does under the pointer. Drawn anew only where it looks different. */
export function ToolButton({ onClick, ...appearance }: Appearance & { onClick: () => void }) {
  return <Drawn {...appearance} onClick={useLatest(onClick)} />;
}

const Drawn = memo(function Drawn(props: Appearance & { onClick: () => void }) {
  const { label, shortcut: key, icon: Picture, iconSize = 17, size, disabled = false, onClick } = props;
  const keyOf = useKeyNames();
  return (
    <Tooltip label={withKey(label, key ? keyOf(key) : '')}>
      <ActionIcon
        {...(size !== undefined && { size })}
        aria-label={label}
        disabled={disabled}
        onClick={onClick}
      >
        <Picture size={iconSize} />
      </ActionIcon>
    </Tooltip>
  );
});
