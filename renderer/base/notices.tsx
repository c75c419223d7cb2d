/**
 * Cards over the page: what the studio tells, and failures that belong to no field on the screen. Failures
 * also stay in the status bar’s Jobs.
 */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import type { EventPayload } from '#contract';
import { keepOutcome } from './jobs.ts';
import classes from './Notice.module.css';
import { asFailure, studio } from './studio.ts';
import { worded } from './text/sentence-text.ts';

type Notice = EventPayload<'app', 'notice'>;
type Level = Notice['level'];

/** Milliseconds that a card stays, unless the pointer or the focus is on it. */
export const cardMs = 5000;

const appearances = {
  info: { color: 'gray', icon: <IconInfoCircle size={20} stroke={1.7} /> },
  success: { color: 'moss', icon: <IconCircleCheck size={20} stroke={1.7} /> },
  warning: { color: 'ochre', icon: <IconAlertTriangle size={20} stroke={1.7} /> },
  error: { color: 'crimson', icon: <IconAlertCircle size={20} stroke={1.7} /> },
} as const;

interface CardAction {
  label: string;
  act: () => void;
}

function showCard(card: {
  id?: string;
  level: Level;
  title: string;
  text: ReactNode;
  action?: CardAction | undefined;
}): string {
  const { level, action } = card;
  const id = notifications.show({
    ...(card.id !== undefined && { id: card.id }),
    ...appearances[level],
    role: level === 'error' ? 'alert' : 'status',
    title: card.title,
    autoClose: cardMs,
    closeButtonProps: { 'aria-label': i18next.t('actions.close') },
    message: (
      <>
        {card.text !== '' && <div>{card.text}</div>}
        {action && (
          <div className={classes.actions}>
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => {
                notifications.hide(id);
                action.act();
              }}
            >
              {action.label}
            </Button>
          </div>
        )}
      </>
    ),
  });
  return id;
}

/**
 * Shows a notice. One that is already on the screen is not repeated: a fault in each frame would flood it.
 *
 * @param stays - Jobs lists it until it is cleared. Default: failures only.
 */
export function notify(notice: Notice, stays = notice.level === 'error'): void {
  const { level } = notice;
  const [title, text] = [worded(notice.title), worded(notice.text)];
  const id = [level, title, text].join('\n');
  if (stays) keepOutcome({ id, failed: level === 'error', title, text });
  showCard({ id, level, title, text });
}

export function notifyFailure(thrown: unknown): void {
  const failure = asFailure(thrown);
  if (failure.code === 'cancelled') return;
  notify({
    level: 'error',
    title: i18next.t(`failure.${failure.code}`),
    text: failure.text,
  });
}

/** Runs work that a click started, and reports its errors. */
export function attempt(work: () => Promise<unknown>): void {
  work().catch(notifyFailure);
}

/** A message with something that can be done about it, until the message goes. */
export function offer(
  notice: { level?: Level; title: string; text?: string | undefined },
  label: string,
  act: () => void,
): string {
  const { level = 'info', title, text = '' } = notice;
  const action = { label, act };
  if (level === 'error') keepOutcome({ id: `${title}\n${text}`, failed: true, title, text, action });
  return showCard({ level, title, text, action });
}

/** Where something was done: each has a history of its own. */
export type UndoScope = 'library' | 'portraits' | 'takes' | 'settings';
/** The card of each about its last action: it offers to undo it, or says that it was undone. */
const historyCards = new Map<UndoScope, string>();

/** Something newer was done, or it was undone already: the card must not undo something else. */
export function withdrawUndo(scope: UndoScope): void {
  const id = historyCards.get(scope);
  if (id !== undefined) notifications.hide(id);
  historyCards.delete(scope);
}

/** Something was done and can be undone until the card goes, or something newer is done. */
export function offerUndo(scope: UndoScope, title: string, undo: () => void, text?: string): void {
  withdrawUndo(scope);
  historyCards.set(scope, offer({ title, text }, i18next.t('actions.undo'), undo));
}

/** Says what was undone or done again, in the place of the card before it. */
export function showHistoryCard(scope: UndoScope, title: string): void {
  withdrawUndo(scope);
  historyCards.set(scope, showCard({ level: 'info', title, text: '' }));
}

/** Logs uncaught errors of the page in main and notifies the user once. Returns a function that stops it. */
export function followFaults(): () => void {
  const report = (error: unknown): void => {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    studio.app
      .reportError({ message: message.slice(0, 4000), stack: stack.slice(0, 20_000) })
      .catch(() => undefined); // the log is unreachable; the notice below is all that is left
    notify({
      level: 'error',
      title: i18next.t('unexpected.title'),
      text: `${message} ${i18next.t('unexpected.text')}`,
    });
  };
  const onError = (event: ErrorEvent): void => {
    // A resize observer that could not finish within a frame is the browser's bookkeeping, not a fault.
    if (!event.message.startsWith('ResizeObserver loop')) report(event.error ?? event.message);
  };
  const onRejection = (event: PromiseRejectionEvent): void => report(event.reason);
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  const stopNotices = studio.app.onNotice(notify);
  return () => {
    window.removeEventListener('error', onError);
    window.removeEventListener('unhandledrejection', onRejection);
    stopNotices();
  };
}
