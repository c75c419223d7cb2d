import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import classes from './panels.module.css';

/** A part of the inspector under its heading. */
export function PanelSection(props: {
  title?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** It opens by a click: its content costs time or room. */
  isClosed?: boolean;
  children: ReactNode;
}) {
  const { title, actions, isClosed, children } = props;
  const [isOpen, setOpen] = useState(!isClosed);
  return (
    <section className={classes.section}>
      {title && (
        <div className={classes.heading}>
          <h2 className={classes.title}>
            {isClosed === undefined ? (
              title
            ) : (
              <UnstyledButton
                className={classes.opener}
                aria-expanded={isOpen}
                onClick={() => setOpen(!isOpen)}
              >
                {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
                {title}
              </UnstyledButton>
            )}
          </h2>
          {actions}
        </div>
      )}
      {isOpen && children}
    </section>
  );
}
