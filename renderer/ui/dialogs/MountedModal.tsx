import { Modal, type ModalProps } from '@mantine/core';
import { useEffect } from 'react';

/**
 * A dialog that is open while it is mounted. Mantine gives the focus back when `opened` turns false; one that is taken
 * away at once would leave the keyboard nowhere.
 */
export function MountedModal(props: Omit<ModalProps, 'opened'>) {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      // Once the dialog is gone, unless something else has taken it.
      setTimeout(() => {
        const now = document.activeElement;
        if ((now === null || now === document.body) && before instanceof HTMLElement)
          before.focus({ preventScroll: true });
      }, 10);
    };
  }, []);
  return <Modal opened {...props} />;
}
