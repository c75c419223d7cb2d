import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Page.module.css';

/** A section of the settings: its name, one sentence, and its parts. */
export function Page(props: {
  title: ReactNode;
  intro?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <div className={classes.words}>
          <Title order={2} className={classes.title}>
            {props.title}
          </Title>
          {props.intro && <Text c="dimmed">{props.intro}</Text>}
        </div>
        {props.actions && <div className={classes.actions}>{props.actions}</div>}
      </div>
      {props.children}
    </div>
  );
}
