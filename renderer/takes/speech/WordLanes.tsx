import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take } from '#contract';
import type { AlignedWord, SpeechAlignment } from '#proto/speech_alignment.ts';
import { moveWord } from '#proto/word_times.ts';
import { attempt } from '../../base/notices.tsx';
import { useFigures } from '../../base/number-format.ts';
import { moveTakeWord } from './take-hearing.ts';
import { WordFields } from './WordFields.tsx';
import classes from './WordLanes.module.css';

/** Seconds of a take that are seen at once: words stay wide enough to read. */
const mostShown = 8;
/** Seconds by which an arrow with Shift moves a word's edges. */
const nudge = 0.01;

interface Lanes {
  take: Take;
  alignment: SpeechAlignment;
  audio: RefObject<HTMLAudioElement | null>;
}

/** Words and phones under the waveform: click one to hear and see it, drag its edges, or type its times. */
export function WordLanes({ take, alignment, audio }: Lanes) {
  const { t } = useTranslation('takes');
  const [chosen, setChosen] = useState(0);
  const [preview, setPreview] = useState<SpeechAlignment | null>(null);
  const span = Math.min(take.seconds, mostShown);
  const lanes = useRef<HTMLDivElement>(null);
  const from = useFollowedWindow(audio, take.seconds, span, lanes);
  const play = useStretchPlayer(audio);
  const shown = preview ?? alignment;
  const index = Math.min(chosen, shown.words.length - 1);
  const word = shown.words[index];

  const choose = (next: number): void => {
    const found = shown.words[next];
    if (!found) return;
    setChosen(next);
    play(found);
  };
  const move = (at: number, times: { start: number; end: number }): void =>
    attempt(() => moveTakeWord(take, at, times).finally(() => setPreview(null)));
  const drag = (at: number, times: { start: number; end: number }): void => {
    if (times.start < times.end) setPreview(moveWord(alignment, at, times, take.seconds).alignment);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 || !word) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) {
      move(index, { start: word.start + step * nudge, end: word.end + step * nudge });
    } else choose(index + step);
  };
  return (
    <div className={classes.speech}>
      <div
        ref={lanes}
        role="listbox"
        tabIndex={0}
        aria-label={t('speech.words')}
        aria-activedescendant={word ? wordId(index) : undefined}
        className={classes.lanes}
        onKeyDown={onKey}
      >
        {shown.words.map((each, at) =>
          each.end >= from && each.start <= from + span ? (
            <Word
              // A word's place in the script is what it is.
              // biome-ignore lint/suspicious/noArrayIndexKey: words never change their order
              key={at}
              word={each}
              index={at}
              isChosen={at === index}
              view={{ from, span }}
              onChoose={() => choose(at)}
              onDrag={(times) => drag(at, times)}
              onDrop={(times) => move(at, times)}
            />
          ) : null,
        )}
        <div className={classes.playhead} data-playhead />
      </div>
      {word && (
        <WordFields
          key={`${index} ${word.start} ${word.end}`}
          word={word}
          onTimes={(times) => move(index, times)}
        />
      )}
    </div>
  );
}

const wordId = (index: number): string => `take-word-${index}`;

interface WordProps {
  word: AlignedWord;
  index: number;
  isChosen: boolean;
  /** Seconds that the lanes show. */
  view: { from: number; span: number };
  onChoose: () => void;
  onDrag: (times: { start: number; end: number }) => void;
  onDrop: (times: { start: number; end: number }) => void;
}

function Word({ word, index, isChosen, view, onChoose, onDrag, onDrop }: WordProps) {
  const { t } = useTranslation('takes');
  const { seconds } = useFigures();
  const at = (time: number): string => `${((time - view.from) / view.span) * 100}%`;
  const width = (length: number): string => `${(length / view.span) * 100}%`;
  const said = [word.text, seconds(word.start), ...(word.flag ? [t(`speech.flags.${word.flag}`)] : [])];
  const edge = (side: 'start' | 'end') => ({
    'data-edge': side,
    className: classes.edge,
    ...edgeDragging(view.span, word, side, onDrag, onDrop),
  });
  return (
    <>
      <div
        id={wordId(index)}
        role="option"
        tabIndex={-1}
        aria-selected={isChosen}
        aria-label={said.join(', ')}
        title={said.join(', ')}
        data-flag={word.flag ?? undefined}
        data-pinned={word.pinned || undefined}
        className={classes.word}
        style={{ left: at(word.start), width: width(word.end - word.start) }}
        onClick={onChoose}
        onKeyDown={undefined}
      >
        <span className={classes.text}>{word.text}</span>
        {isChosen && word.end > word.start && (
          <>
            <span {...edge('start')} />
            <span {...edge('end')} />
          </>
        )}
      </div>
      {word.phones.map((phone) => (
        <span
          key={phone.start}
          aria-hidden
          className={classes.phone}
          data-unsure={phone.confidence < 0.3 || undefined}
          style={{ left: at(phone.start), width: width(phone.end - phone.start) }}
        >
          {phone.phone}
        </span>
      ))}
    </>
  );
}

/** Pointer listeners of a word's edge: it follows the pointer, and is moved for good where it is let go. */
function edgeDragging(
  span: number,
  word: AlignedWord,
  side: 'start' | 'end',
  onDrag: WordProps['onDrag'],
  onDrop: WordProps['onDrop'],
) {
  const timesAt = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const begun = Number(currentTarget.dataset.begun);
    const pixels = currentTarget.closest('[role="listbox"]')?.clientWidth ?? 1;
    const by = ((clientX - begun) / pixels) * span;
    const origin = Number(currentTarget.dataset.origin);
    return side === 'start' ? { start: origin + by, end: word.end } : { start: word.start, end: origin + by };
  };
  return {
    onClick: (event: { stopPropagation(): void }) => event.stopPropagation(),
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      event.currentTarget.dataset.begun = String(event.clientX);
      event.currentTarget.dataset.origin = String(word[side]);
      event.stopPropagation();
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) onDrag(timesAt(event));
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
      event.currentTarget.releasePointerCapture(event.pointerId);
      const times = timesAt(event);
      if (event.clientX !== Number(event.currentTarget.dataset.begun) && times.start < times.end) {
        onDrop(times);
      }
    },
  };
}

/**
 * The stretch of the take that is seen: it turns its page with the playhead, which is drawn outside React.
 *
 * @returns its first second
 */
function useFollowedWindow(
  audio: RefObject<HTMLAudioElement | null>,
  seconds: number,
  span: number,
  lanes: RefObject<HTMLDivElement | null>,
): number {
  const [from, setFrom] = useState(0);
  useEffect(() => {
    let frame = 0;
    const follow = (): void => {
      frame = requestAnimationFrame(follow);
      const now = audio.current?.currentTime ?? 0;
      const page = Math.max(0, Math.min(seconds - span, now - span * 0.1));
      if (now < from || now > from + span) setFrom(page);
      const head = lanes.current?.querySelector<HTMLElement>('[data-playhead]');
      if (head) head.style.left = `${((now - from) / span) * 100}%`;
    };
    frame = requestAnimationFrame(follow);
    return () => cancelAnimationFrame(frame);
  }, [audio, seconds, span, from, lanes]);
  return from;
}

/** Plays one stretch of the sound and stops at its end. */
function useStretchPlayer(
  audio: RefObject<HTMLAudioElement | null>,
): (stretch: { start: number; end: number }) => void {
  const stopAt = useRef(Number.POSITIVE_INFINITY);
  useEffect(() => {
    const player = audio.current;
    if (!player) return;
    let frame = 0;
    const watch = (): void => {
      frame = requestAnimationFrame(watch);
      if (player.currentTime < stopAt.current) return;
      stopAt.current = Number.POSITIVE_INFINITY;
      player.pause();
    };
    // Whoever goes elsewhere wants to hear on from there.
    const forget = (): void => {
      if (player.currentTime > stopAt.current + 0.1) stopAt.current = Number.POSITIVE_INFINITY;
    };
    frame = requestAnimationFrame(watch);
    player.addEventListener('seeking', forget);
    return () => {
      cancelAnimationFrame(frame);
      player.removeEventListener('seeking', forget);
    };
  }, [audio]);
  return ({ start, end }) => {
    const player = audio.current;
    if (!player) return;
    player.currentTime = start;
    stopAt.current = end > start ? end : Number.POSITIVE_INFINITY;
    if (end > start) attempt(() => player.play());
  };
}
