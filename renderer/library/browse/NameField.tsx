import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { attempt } from '../../base/notices.tsx';
import classes from './Facets.module.css';

/** A name typed in place: Enter keeps it, Escape and leaving an empty field drop it. */
export function NameField(props: {
  label: string;
  initial: string;
  onName: (name: string) => Promise<unknown>;
  onEnd: () => void;
}) {
  const [name, setName] = useState(props.initial);
  const keep = (): void => {
    props.onEnd();
    const trimmed = name.trim();
    if (trimmed) attempt(() => props.onName(trimmed));
  };
  return (
    <li className={classes.naming}>
      <TextInput
        aria-label={props.label}
        placeholder={props.label}
        value={name}
        maxLength={120}
        autoFocus
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') keep();
          else if (event.key === 'Escape') props.onEnd();
        }}
        onBlur={props.onEnd}
      />
    </li>
  );
}
