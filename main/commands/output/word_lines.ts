import { basename } from 'node:path';
import { type Message, t } from '@likeness/messages';
import type { AlignedWord } from '@likeness/proto/speech/speech_alignment.ts';
import type { TalkedWords } from '../../takes/talk.ts';
import { mixed } from './mixed_text.ts';

/** Maximum number of words to list; use `--json` for all. */
const maxNamed = 20;

/** Returns lines about the use of a transcript; none if it was not used. */
export function wordLines({ script, alignment, problem }: TalkedWords): Message[] {
  if (!alignment || problem !== '') return [];
  const { words, unknown } = alignment;
  const file = basename(script);
  const differing = differingWords(words);
  const differ =
    differing.length === 0
      ? t('cli.words_agree', { file, count: words.length })
      : t('cli.words_differ', {
          file,
          differing: differing.length,
          count: words.length,
          words: listed(differing.map(differingWord)),
        });
  const lines =
    unknown.length === 0 ? [differ] : [differ, t('cli.words_unknown', { words: listed(unknown) })];
  return lines.map((line) => mixed`  ${line}`);
}

/** The same as JSON. */
export const wordsInJson = ({ script, alignment, problem, leftOut }: TalkedWords) => ({
  script,
  problem,
  leftOut,
  count: alignment?.words.length ?? 0,
  differing: differingWords(alignment?.words ?? []).map(({ text, flag, start, end }) => ({
    word: text,
    flag,
    start,
    end,
  })),
  unknown: alignment?.unknown ?? [],
});

const differingWords = (words: readonly AlignedWord[]): AlignedWord[] =>
  words.filter(({ flag }) => flag !== null);

const differingWord = ({ text, flag }: AlignedWord): Message =>
  flag === 'left_out'
    ? t('cli.word_left_out', { word: text })
    : flag === 'changed'
      ? t('cli.word_changed', { word: text })
      : t('cli.word_followed', { word: text });

function listed(all: readonly Message[]): Message {
  const [first = '', ...others] = all.slice(0, maxNamed);
  const names = others.reduce<Message>((before, next) => mixed`${before}, ${next}`, first);
  return all.length > maxNamed ? t('cli.and_more', { names, count: all.length - maxNamed }) : names;
}
