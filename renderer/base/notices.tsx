/**
 * Short messages in the corner: what the studio tells, and failures that belong to no field on the screen.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import type { EventPayload } from '#contract';
import { asFailure, studio } from './studio.ts';
import { worded } from './text/sentence-text.ts';

type Notice = EventPayload<'app', 'notice'>;

const dress = {
  info: { color: 'gray', icon: <IconInfoCircle size={18} /> },
  success: { color: 'moss', icon: <IconCheck size={18} /> },
  warning: { color: 'ochre', icon: <IconAlertTriangle size={18} /> },
  error: { color: 'crimson', icon: <IconX size={18} /> },
} as const;

/**
 * Shows a notice. Errors stay until the user closes them. A notice that is already on the screen is not
 * repeated: a fault in each frame would flood it.
 */
export function notify(notice: Notice): void {
  const { level } = notice;
  const [title, text] = [worded(notice.title), worded(notice.text)];
  notifications.show({
    id: [level, title, text].join('\n'),
    ...dress[level],
    title,
    message: text,
    autoClose: level === 'error' ? false : level === 'warning' ? 12_000 : 6000,
    closeButtonProps: { 'aria-label': i18next.t('actions.close') },
  });
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
  notice: { level?: Notice['level']; title: string; text?: ReactNode },
  label: string,
  act: () => void,
): string {
  const { level, title, text } = notice;
  const id = notifications.show({
    ...(level ? dress[level] : { color: 'gray' }),
    title,
    autoClose: 12_000,
    closeButtonProps: { 'aria-label': i18next.t('actions.close') },
    message: (
      <Stack gap={8}>
        {text && <Text size="xs">{text}</Text>}
        <Group>
          <Button
            variant="default"
            onClick={() => {
              notifications.hide(id);
              act();
            }}
          >
            {label}
          </Button>
        </Group>
      </Stack>
    ),
  });
  return id;
}

/** Where something was done: each has a history of its own. */
export type UndoScope = 'library' | 'portraits' | 'takes' | 'poses' | 'settings';
/** The message of each that offers to undo what was done last. */
const undoOffers = new Map<UndoScope, string>();

/** Something newer was done, or it was undone already: the message must not undo something else. */
export function withdrawUndo(scope: UndoScope): void {
  const id = undoOffers.get(scope);
  if (id !== undefined) notifications.hide(id);
  undoOffers.delete(scope);
}

/** Something was done and can be undone until the message goes, or something newer is done. */
export function offerUndo(scope: UndoScope, title: string, undo: () => void, text?: ReactNode): void {
  withdrawUndo(scope);
  undoOffers.set(scope, offer({ title, text }, i18next.t('actions.undo'), undo));
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
