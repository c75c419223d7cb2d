import { useElementSize } from '@mantine/hooks';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { lettersSpan } from '../editor/timeline/timeline-canvas.ts';
import type { TimelineState } from '../editor/timeline/timeline-state.ts';
import { LaneWord, wordId } from './LaneWord.tsx';
import type { TakeSpeech } from './take-speech.ts';
import classes from './WordLanes.module.css';
import type { WordTimes } from './word-moves.ts';

/** Seconds by which an arrow with Shift moves a word. */
const nudge = 0.01;

/** The transcript's track: words with their phones. Click one to hear and see it, drag its edges. */
export function WordLanes({ speech, timeline }: { speech: TakeSpeech; timeline: TimelineState }) {
  const { t } = useTranslation('takes');
  const { from, span } = timeline.window.use();
  const { toPlayed, toRecorded } = timeline.map.use();
  const { ref: lanes, width } = useElementSize<HTMLDivElement>();
  const { words } = speech;
  const index = Math.min(timeline.word.use(), words.length - 1);
  const word = words[index];
  const isSelected = timeline.selected.use()?.kind === 'word';
  /** False: it is cut out, and has no place in the take as it plays. */
  const isPlayed = ({ start, end }: WordTimes): boolean =>
    start === end || toPlayed(end) - toPlayed(start) > 1e-3;
  const shift = (by: number): void => {
    if (word) speech.move(index, { start: Math.max(0, word.start + by), end: word.end + by });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => (event.shiftKey ? shift(-nudge) : speech.goTo(index - 1)),
      ArrowRight: () => (event.shiftKey ? shift(nudge) : speech.goTo(index + 1)),
      Home: () => speech.goTo(0),
      End: () => speech.goTo(words.length - 1),
      Enter: () => speech.play(index),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div
      ref={lanes}
      role="listbox"
      tabIndex={0}
      aria-label={t('speech.words')}
      aria-activedescendant={wordId(index)}
      className={classes.lanes}
      onKeyDown={onKey}
    >
      {words.map((each, at) =>
        // The chosen one is there for screen readers wherever it is.
        at === index ||
        (span <= lettersSpan &&
          isPlayed(each) &&
          toPlayed(each.end) >= from &&
          toPlayed(each.start) <= from + span) ? (
          <LaneWord
            // biome-ignore lint/suspicious/noArrayIndexKey: a word's place in the script is what it is
            key={at}
            word={each}
            index={at}
            count={words.length}
            isChosen={isSelected && at === index}
            shareOf={(time) => (toPlayed(time) - from) / span}
            width={width}
            later={(time, pixels) => toRecorded(toPlayed(time) + (pixels * span) / (width || 1))}
            onChoose={() => speech.play(at)}
            onDrag={(times) => speech.preview(times && { index: at, times })}
            onDrop={(times) => speech.move(at, times)}
          />
        ) : null,
      )}
    </div>
  );
}
