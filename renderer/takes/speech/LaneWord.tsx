import { isBilabial } from '@likeness/proto/speech/phones.ts';
import type { AlignedWord } from '@likeness/proto/speech/speech_alignment.ts';
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../base/text/number-format.ts';
import { WordEdge } from './WordEdge.tsx';
import classes from './WordLanes.module.css';
import type { WordTimes } from './word-moves.ts';

/** Below this the sound hardly agrees with a phone. */
const unsure = 0.3;

/** Pixels of letters in the lanes; those of Chinese are twice as wide. */
const widthOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum + (letter > '\u2e80' ? 12 : 6), 0);

export const wordId = (index: number): string => `take-word-${index}`;

/** A word and its phones in their lanes. */
export function LaneWord(props: {
  word: AlignedWord;
  index: number;
  /** Number of words in the whole take. */
  count: number;
  isChosen: boolean;
  /** Where a moment lies in the lanes, 0..1. */
  shareOf: (time: number) => number;
  /** A moment so many pixels to the right of another. */
  later: (time: number, pixels: number) => number;
  /** Pixels of the lanes: letters are drawn where they fit. */
  width: number;
  onChoose: () => void;
  onDrag: (times: WordTimes | null) => void;
  onDrop: (times: WordTimes) => void;
}) {
  const { word, index, count, isChosen, shareOf, width, onChoose, onDrag, onDrop } = props;
  const { t } = useTranslation('takes');
  const { seconds } = useFigures();
  const position = (start: number, end: number) => ({
    left: `${shareOf(start) * 100}%`,
    // One that was left out has a mark of its own width.
    ...(end > start && { width: `${(shareOf(end) - shareOf(start)) * 100}%` }),
  });
  const fits = ({ start, end }: WordTimes, letters: string): boolean =>
    (shareOf(end) - shareOf(start)) * width >= widthOf(letters);
  const parts = [word.text, seconds(word.start), ...(word.flag ? [t(`speech.flags.${word.flag}`)] : [])];
  const edge = { times: word, later: props.later, onDrag, onDrop };
  return (
    <>
      <div
        id={wordId(index)}
        role="option"
        tabIndex={-1}
        aria-selected={isChosen}
        aria-label={parts.join(', ')}
        aria-posinset={index + 1}
        aria-setsize={count}
        title={parts.join(', ')}
        data-flag={word.flag ?? undefined}
        data-pinned={word.pinned || undefined}
        className={classes.word}
        style={position(word.start, word.end)}
        onClick={onChoose}
        onKeyDown={undefined}
      >
        <span className={classes.text}>{fits(word, word.text) && word.text}</span>
        {isChosen && word.end > word.start && (
          <>
            <WordEdge side="start" {...edge} />
            <WordEdge side="end" {...edge} />
          </>
        )}
      </div>
      {word.phones.map(({ phone, start, end, confidence }, at) => (
        <span
          // A pronunciation's phones never change their order.
          // biome-ignore lint/suspicious/noArrayIndexKey: a phone's place in the word is what it is
          key={at}
          aria-hidden
          className={classes.phone}
          data-unsure={confidence < unsure || undefined}
          data-closes={isBilabial(phone) || undefined}
          style={position(start, end)}
        >
          {fits({ start, end }, phone) && phone}
        </span>
      ))}
    </>
  );
}
