import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import { lettersSpan } from '../editor/timeline/timeline-canvas.ts';
import type { TimelineState } from '../editor/timeline/timeline-state.ts';
import type { TakePlayback } from '../take-playback.ts';
import { FlaggedWords } from './FlaggedWords.tsx';
import { LaneWord, wordId } from './LaneWord.tsx';
import { useStretchPlayer } from './stretch-player.ts';
import { WordFields } from './WordFields.tsx';
import classes from './WordLanes.module.css';
import { useWordMoves } from './word-moves.ts';

/** Seconds by which an arrow with Shift moves a word. */
const nudge = 0.01;
/** Pixels per second from which phone labels are legible. */
const phonesScale = 90;

/** Words and phones under the waveform: click one to hear and see it, drag its edges, or type its times. */
export function WordLanes(props: {
  take: Take;
  alignment: SpeechAlignment;
  playback: TakePlayback;
  timeline: TimelineState;
}) {
  const { t } = useTranslation('takes');
  const { take, alignment, playback, timeline } = props;
  const [chosen, setChosen] = useState(0);
  const view = timeline.window.use();
  const { ref: lanes, width } = useElementSize<HTMLDivElement>();
  const { goTo, play } = useStretchPlayer(playback);
  const moves = useWordMoves(take, alignment);
  const { words } = moves.shown;
  const index = Math.min(chosen, words.length - 1);
  const word = words[index];
  const choose = (next: number, then: typeof play | typeof goTo): void => {
    const found = words[next];
    if (!found) return;
    setChosen(next);
    then(found);
  };
  const shift = (by: number): void => {
    if (word) moves.move(index, { start: Math.max(0, word.start + by), end: word.end + by });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => (event.shiftKey ? shift(-nudge) : choose(index - 1, goTo)),
      ArrowRight: () => (event.shiftKey ? shift(nudge) : choose(index + 1, goTo)),
      Home: () => choose(0, goTo),
      End: () => choose(words.length - 1, goTo),
      Enter: () => choose(index, play),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div className={classes.speech}>
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
          (view.span <= lettersSpan && each.end >= view.from && each.start <= view.from + view.span) ? (
            <LaneWord
              // biome-ignore lint/suspicious/noArrayIndexKey: a word's place in the script is what it is
              key={at}
              word={each}
              index={at}
              count={words.length}
              isChosen={at === index}
              view={view}
              hasPhones={width / view.span >= phonesScale}
              onChoose={() => choose(at, play)}
              onDrag={(times) => moves.preview(times && { index: at, times })}
              onDrop={(times) => moves.move(at, times)}
            />
          ) : null,
        )}
      </div>
      <div className={classes.fields}>
        {word && (
          <WordFields
            key={`${index} ${word.start} ${word.end}`}
            word={word}
            onTimes={(times) => moves.move(index, times)}
          />
        )}
        <FlaggedWords words={words} onChoose={(at) => choose(at, play)} />
      </div>
    </div>
  );
}
