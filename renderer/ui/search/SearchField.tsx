import { Kbd, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { SearchProblem } from '#contract';
import { isTyping } from '../../base/keyboard.ts';
import classes from './Search.module.css';
import { type Searchable, SearchSyntax } from './SearchSyntax.tsx';

/**
 * A field for the words of a search, and below it what can be searched by. `/` goes to it.
 *
 * @param props.onSearch - Told at each key; undefined: nothing is searched for
 */
export function SearchField<Field extends string>(
  props: Searchable<Field> & {
    /** The current search text. */
    asked: string;
    label: string;
    hint: string;
    problems: readonly SearchProblem[];
    onSearch: (text: string | undefined) => void;
  },
) {
  const { asked } = props;
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(asked);
  const [inside, setInside] = useState(false);
  const write = (now: string): void => {
    setText(now);
    props.onSearch(now.trim() || undefined);
  };
  // A saved search brings words of its own; a space that is being typed is not yet another search.
  if (text.trim() !== asked) setText(asked);
  useEffect(() => {
    const toSearch = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.defaultPrevented || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.select();
    };
    window.addEventListener('keydown', toSearch);
    return () => window.removeEventListener('keydown', toSearch);
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps what it holds open while one of them has the focus
    <div
      className={classes.text}
      onFocus={() => setInside(true)}
      onBlur={({ currentTarget, relatedTarget }) => setInside(currentTarget.contains(relatedTarget))}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !inside) return;
        event.preventDefault();
        setInside(false);
      }}
    >
      <TextInput
        ref={field}
        type="search"
        aria-label={props.label}
        placeholder={props.hint}
        leftSection={<IconSearch size={15} />}
        rightSection={asked ? undefined : <Kbd size="xs">/</Kbd>}
        value={text}
        maxLength={200}
        onChange={({ currentTarget }) => {
          setInside(true);
          write(currentTarget.value);
        }}
      />
      {inside && (
        <SearchSyntax
          fields={props.fields}
          wordsOf={props.wordsOf}
          problems={props.problems}
          text={text}
          onText={write}
        />
      )}
    </div>
  );
}
