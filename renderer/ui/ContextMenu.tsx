import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';

export interface MenuPoint {
  x: number;
  y: number;
}

/** A menu at a point of the page: where the pointer was, or what the keyboard is on. */
export function ContextMenu(props: {
  at: MenuPoint | undefined;
  label: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const { at } = props;
  // Points of the window, in lengths of a page that may be drawn larger.
  const zoom = document.documentElement.currentCSSZoom;
  return (
    <Menu
      opened={at !== undefined}
      onClose={props.onClose}
      position="bottom-start"
      offset={2}
      width="max-content"
      // Where it fits neither below nor above, it moves up beside the point.
      middlewares={{ flip: true, shift: { crossAxis: true, padding: 8 } }}
      transitionProps={{ duration: 0 }}
      // What was under the pointer has the focus again, as the list must have it for the next key.
      returnFocus
      // Its first item has the focus, for who opened it by key.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <span
          aria-hidden
          style={{
            position: 'fixed',
            left: (at?.x ?? 0) / zoom,
            top: (at?.y ?? 0) / zoom,
            width: 1,
            height: 1,
            pointerEvents: 'none',
          }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={props.label} mah="calc(100vh - 24px)" style={{ overflowY: 'auto' }}>
        {props.children}
      </Menu.Dropdown>
    </Menu>
  );
}

/**
 * Where a `contextmenu` event asks for its menu: at the pointer, or
 * for its key in the middle of what is active.
 */
export function menuPoint(
  event: { clientX: number; clientY: number; button: number },
  active: Element | null,
): MenuPoint {
  if (event.button === 2) return { x: event.clientX, y: event.clientY };
  const box = active?.getBoundingClientRect();
  return box
    ? { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    : { x: event.clientX, y: event.clientY };
}
