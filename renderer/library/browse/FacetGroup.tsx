import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFigures } from '../../base/text/number-format.ts';
import { dropTarget } from '../dragged-heads.ts';
import type { ModelSelection } from '../model-list.ts';
import classes from './Facets.module.css';

export function FacetGroup({
  title,
  action,
  children,
}: {
  title?: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={classes.group} aria-label={title}>
      {title && (
        <h2 className={classes.title}>
          <span>{title}</span>
          {action}
        </h2>
      )}
      <ul>{children}</ul>
    </section>
  );
}

export function FacetLine(props: {
  label: string;
  count?: number;
  on: boolean;
  onClick: () => void;
  action?: ReactNode;
  /** Heads can be dropped on it. */
  onHeads?: (heads: ModelSelection) => void;
}) {
  const figures = useFigures();
  return (
    <li className={classes.item} {...(props.onHeads ? dropTarget(props.onHeads) : {})}>
      <UnstyledButton className={classes.line} aria-pressed={props.on} onClick={props.onClick}>
        <span className={classes.label} title={props.label}>
          {props.label}
        </span>
        {props.count !== undefined && <span className={classes.count}>{figures.number(props.count)}</span>}
      </UnstyledButton>
      {props.action}
    </li>
  );
}
