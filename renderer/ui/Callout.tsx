import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Callout.module.css';

const icons = {
  info: IconInfoCircle,
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
} as const;

/** A notice beside what it is about, optionally with an action. */
export function Callout(props: {
  tone: keyof typeof icons;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const Icon = icons[props.tone];
  return (
    <div className={classes.callout} data-tone={props.tone} role={props.tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={18} stroke={1.7} className={classes.icon} aria-hidden />
      <div className={classes.words}>
        {props.title && <p className={classes.title}>{props.title}</p>}
        {props.children && <div className={classes.text}>{props.children}</div>}
      </div>
      {props.action}
    </div>
  );
}
