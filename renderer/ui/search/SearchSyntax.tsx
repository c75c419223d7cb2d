import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SearchFields, SearchProblem } from '#contract';
import classes from './Search.module.css';

const comparisons = { stars: ['5', '>3', '<=2'], day: ['today', 'yesterday'], word: [], text: [] } as const;

/** Suggestions for the next part of a search: fields, or values of the field just typed. */
function offered<Field extends string>(
  text: string,
  known: SearchFields<Field>,
): { field: Field; word: string; value?: string }[] {
  const fields = Object.keys(known) as Field[];
  const last = /\S*$/.exec(text)?.[0].toLowerCase().replace(/^-/, '') ?? '';
  const [name = '', value] = last.split(':');
  const named = fields.find((field) => field === name);
  if (value === undefined)
    return fields.filter((field) => field.startsWith(name)).map((field) => ({ field, word: `${field}:` }));
  if (!named) return [];
  const { kind, values } = known[named];
  return [...values, ...comparisons[kind]]
    .filter((one) => one.startsWith(value) && one !== value)
    .map((one) => ({ field: named, word: `${named}:${one} `, value: one }));
}

/** A text with its last word replaced; the minus before it stays. */
const completed = (text: string, word: string): string => text.replace(/(-?)\S*$/, `$1${word}`);

/** Searchable fields of a list. */
export interface Searchable<Field extends string> {
  fields: SearchFields<Field>;
  /** Describes a field in a few words. */
  wordsOf: (field: Field) => string;
}

/** Offers what can be searched by, below the field, while somebody is in it. */
export function SearchSyntax<Field extends string>(
  props: Searchable<Field> & {
    text: string;
    problems: readonly SearchProblem[];
    onText: (text: string) => void;
  },
) {
  const { text, fields, onText } = props;
  const { t } = useTranslation('library');
  const words = offered(text, fields);
  if (words.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the field when a word is pressed
    <div className={classes.syntax} onMouseDown={(event) => event.preventDefault()}>
      {/* It covers the line that says the same for as long as it is open. */}
      <div aria-hidden>
        <SearchProblems problems={props.problems} fields={fields} />
      </div>
      <p>{t('syntax.title')}</p>
      <ul aria-label={t('syntax.title')}>
        {words.map(({ field, word, value }) => (
          <li key={word}>
            <UnstyledButton className={classes.word} onClick={() => onText(completed(text, word))}>
              <code>{value ?? word}</code>
              {value === undefined && <span>{props.wordsOf(field)}</span>}
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <p>{t('syntax.together')}</p>
    </div>
  );
}

/** Why words of the search were passed over, and what to write instead. */
export function SearchProblems(props: { problems: readonly SearchProblem[]; fields: SearchFields }) {
  const { problems, fields } = props;
  const { t } = useTranslation('library');
  if (problems.length === 0) return null;
  return (
    <div className={classes.problems} role="status">
      <ul>
        {problems.map(({ word, problem, field }) => (
          <li key={word + problem}>
            {t(`syntax.${problem}`, { word, field, values: fields[field]?.values.join(', ') ?? '' })}
          </li>
        ))}
      </ul>
    </div>
  );
}
