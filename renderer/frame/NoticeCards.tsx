import { Notifications, notifications, notificationsStore } from '@mantine/notifications';
import { type CSSProperties, useEffect, useState } from 'react';
import { cardMs } from '../base/notices.tsx';
import { AskForUpdates } from './AskForUpdates.tsx';
import classes from './NoticeCards.module.css';

/** The cards that are shown go after their time, or wait while the focus is in one of them. */
const keepCards = (isKept: boolean): void =>
  notifications.updateState(notificationsStore, (all) =>
    all.map((card) => ({ ...card, autoClose: isKept ? false : cardMs })),
  );

/** Pixels beside or below a dialog in which a card can be read. */
const minBeside = 232;
const minBelow = 128;

/**
 * Where cards don’t cover the open dialog: beside it, below it, or over its title if it fills the window.
 * Undefined: no dialog is open.
 */
function useDialog(): { position: 'beside' | 'below' | 'title'; right: number; left: number } | undefined {
  const [rect, setRect] = useState<DOMRect>();
  useEffect(() => {
    let dialog: Element | undefined;
    const resizes = new ResizeObserver(() => setRect(dialog?.getBoundingClientRect()));
    // A dialog locks the page’s scrolling.
    const locks = new MutationObserver(() => {
      resizes.disconnect();
      dialog = [...document.querySelectorAll('.mantine-Modal-content')].at(-1);
      if (dialog) for (const one of [dialog, document.documentElement]) resizes.observe(one);
      else setRect(undefined);
    });
    locks.observe(document.body, { attributeFilter: ['data-scroll-locked'] });
    return () => {
      locks.disconnect();
      resizes.disconnect();
    };
  }, []);
  if (!rect) return undefined;
  const [right, below] = [window.innerWidth - rect.right, window.innerHeight - rect.bottom];
  const position = right >= minBeside ? 'beside' : below >= minBelow ? 'below' : 'title';
  return { position, right, left: rect.left };
}

/**
 * Cards at the bottom right of the page’s grid or stage (`data-notice-area`), above its toolbar
 * (`data-notice-floor`). They lie over the page: nothing on it moves.
 */
export function NoticeCards() {
  const dialog = useDialog();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: cards wait while the focus is in one
    <div
      className={classes.cards}
      data-dialog={dialog?.position}
      style={{ '--beside': `${dialog?.right}px`, '--dialog-left': `${dialog?.left}px` } as CSSProperties}
      onFocus={() => keepCards(true)}
      onBlur={() => keepCards(false)}
    >
      <AskForUpdates />
      <Notifications
        position="bottom-right"
        limit={3}
        withinPortal={false}
        transitionDuration={160}
        notificationMaxHeight={360}
      />
    </div>
  );
}
