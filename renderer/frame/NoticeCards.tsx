import { Notifications, notifications, notificationsStore } from '@mantine/notifications';
import { cardMs } from '../base/notices.tsx';
import { AskForUpdates } from './AskForUpdates.tsx';
import classes from './NoticeCards.module.css';

/** The cards that are shown go after their time, or wait while the focus is in one of them. */
const keepCards = (isKept: boolean): void =>
  notifications.updateState(notificationsStore, (all) =>
    all.map((card) => ({ ...card, autoClose: isKept ? false : cardMs })),
  );

/**
 * Cards at the bottom right of the page’s grid or stage (`data-notice-area`), above its toolbar
 * (`data-notice-floor`). They lie over the page: nothing on it moves.
 */
export function NoticeCards() {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: cards wait while the focus is in one
    <div className={classes.cards} onFocus={() => keepCards(true)} onBlur={() => keepCards(false)}>
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
