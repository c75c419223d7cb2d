import { Button } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MountedModal } from '../dialogs/MountedModal.tsx';
import classes from './Export.module.css';

/** The dialog of every export: presets, outputs on the left, settings on the right, what will be written below. */
export function ExportModal(props: {
  title: string;
  presets: ReactNode;
  targets: ReactNode;
  /** Settings of the marked output. */
  children: ReactNode;
  written: ReactNode;
  /** Left of the buttons. */
  foot?: ReactNode;
  /** Number of chosen outputs. */
  count: number;
  canExport: boolean;
  busy: boolean;
  /** A dialog is open over this one: it has the focus and Escape. */
  isCovered: boolean;
  onExport: () => void;
  /** Stops a running export. */
  onStop: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { busy, canExport, isCovered, onExport, onStop, onClose } = props;
  const close = busy ? onStop : onClose;
  return (
    <MountedModal
      onClose={close}
      closeOnEscape={!isCovered}
      trapFocus={!isCovered}
      title={props.title}
      size={1040}
      classNames={{ body: classes.body ?? '', content: classes.content ?? '' }}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form
        className={classes.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (canExport) onExport();
        }}
      >
        {props.presets}
        <div className={classes.columns}>
          {props.targets}
          <div className={classes.right}>
            {props.children}
            <section className={classes.written} aria-label={t('export.written')}>
              <h3>{t('export.written')}</h3>
              {props.written}
            </section>
          </div>
        </div>
        <div className={classes.foot}>
          {props.foot}
          <span />
          <Button variant="default" onClick={close}>
            {busy ? t('export.stop') : t('actions.cancel')}
          </Button>
          <Button data-autofocus type="submit" loading={busy} disabled={!canExport}>
            {t('export.action', { count: props.count })}
          </Button>
        </div>
      </form>
    </MountedModal>
  );
}
