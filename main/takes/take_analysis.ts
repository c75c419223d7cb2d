import { inEnglish, type Message, t } from '@likeness/messages';
import { Failure, messageOf } from '@likeness/node-kit/failure.ts';
import type { AlignedWord, SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { moveWord } from '@likeness/proto/speech/word_times.ts';
import { splicedFrames, type TakeFace } from '@likeness/proto/take_stream.ts';
import type { AnalysisProgress, MovedWords, Script, Take } from '#contract';
import type { TakeWords } from './export/take_export.ts';
import {
  faceMessages,
  hasSecondFace,
  type KeptWords,
  pendingFace,
  readFullPassFace,
  readWords,
  writeSecondFace,
  writeWords,
} from './full_pass_face.ts';
import { takeSoundPath } from './sound/take_sound.ts';
import { despiteRestarts, faceOfRecording, type SpeechAnalyser, type SpeechCall } from './speech_analyser.ts';
import type { TakeRecord } from './take_record.ts';
import type { Takes } from './takes.ts';

export interface TakeAnalysisOptions {
  takes: Takes;
  speech: SpeechAnalyser;
  /** The user's pronunciations: word → phones. */
  pronunciations: () => Readonly<Record<string, string>>;
  onProgress: (progress: AnalysisProgress) => void;
  warn: (text: string) => void;
}

/** Maximum undo steps for moved words of a take. */
const maxMoves = 200;
/** Seconds around a moved word in which the face changes: mouths move before the sound. */
const reach = 0.4;

/**
 * Makes faces of takes again from the whole audio, one take after the other, in the background. The faces
 * received during recording stay unchanged.
 */
export class TakeAnalysis {
  readonly #options: TakeAnalysisOptions;
  readonly #progress = new Map<string, AnalysisProgress>();
  /** The engine's ids of takes' audio, as long as it keeps their analysis. */
  readonly #recordings = new Map<string, string>();
  #running: { id: string; abort: AbortController } | null = null;
  /** Previous values of each moved word, by take; the last one at the end. */
  readonly #moves = new Map<string, ChangedWords[]>();
  /** The take whose words are being moved. */
  #edited: EditedTake | null = null;
  #isClosed = false;

  constructor(options: TakeAnalysisOptions) {
    this.#options = options;
  }

  /** Takes that wait or are being analysed. */
  list(): AnalysisProgress[] {
    return [...this.#progress.values()];
  }

  /** Continues the requests that were open when the studio exited. */
  resume(): void {
    for (const id of this.#options.takes.wanted()) this.#enqueue(id);
  }

  /** @throws Failure `not_found`, `storage`; `conflict` during its recording */
  async want(id: string): Promise<Take> {
    const take = await this.#options.takes.edit(id, { secondHearing: 'wanted' });
    this.#enqueue(id);
    return take;
  }

  /** Stops the analysis, or removes it from the queue. The take stays unchanged. */
  async stop(id: string): Promise<void> {
    if (!this.#progress.has(id)) return;
    if (this.#running?.id === id) this.#running.abort.abort();
    await this.#settle(id);
    this.#publish({ id, stage: 'stopped', share: 0, problem: '' });
  }

  /** @throws Failure `not_found`, `storage` */
  async setScript(id: string, script: Script | null): Promise<Take> {
    const text = script?.text.trim() ? script : null;
    // Saved at once: a new transcript is analysed even if the studio exits here.
    const take = await this.#options.takes.edit(id, { script: text, secondHearing: 'wanted' });
    this.#enqueue(id);
    return take;
  }

  /** @throws Failure `not_found`, `storage` */
  async setDials(id: string, dials: Pick<TakeRecord, 'jaw' | 'lips'>): Promise<Take> {
    await this.#options.takes.edit(id, dials);
    return this.want(id);
  }

  /** @throws Failure `not_found`, `storage` */
  async setNoise(id: string, noise: TakeRecord['noise']): Promise<Take> {
    await this.#options.takes.edit(id, { noise });
    // The engine's kept analysis used other noise settings.
    await this.#forgetRecording(id);
    return this.want(id);
  }

  /** @throws Failure `not_found`, `storage`; `conflict` if there is no second face */
  async show(id: string, face: TakeRecord['shownFace']): Promise<Take> {
    const { takes } = this.#options;
    if (face === 'second' && !(await readFullPassFace(takes.folderOf(id)))) {
      throw new Failure('conflict', t('takes.no_full_pass'), { hint: t('takes.reanalyse_first') });
    }
    return takes.edit(id, { shownFace: face });
  }

  /** @throws Failure `not_found`, `storage` */
  async words(id: string): Promise<SpeechAlignment | null> {
    return (await readWords(this.#options.takes.folderOf(id)))?.alignment ?? null;
  }

  /** Returns the words with their transcript; null if there are none that are still valid. */
  async wordsInScript(id: string): Promise<TakeWords | null> {
    const { script } = this.#options.takes.record(id);
    const kept = this.#progress.has(id) ? null : await readWords(this.#options.takes.folderOf(id));
    if (!script || kept?.alignment.verdict !== 'aligned' || kept.alignment.words.length === 0) return null;
    if (!kept.alignment.words.every(standsIn(script.text, kept))) return null;
    return { alignment: kept.alignment, script: script.text };
  }

  /**
   * Changes a word's times; the face follows at once and is saved.
   *
   * @throws Failure `not_found`, `storage`, `invalid_input`; `conflict` during an analysis
   */
  async moveWord(
    id: string,
    { index, start, end }: { index: number; start: number; end: number },
  ): Promise<MovedWords> {
    const edited = await this.#edit(id);
    const { seconds } = this.#options.takes.record(id);
    if (index >= edited.alignment.words.length || !(start < end)) {
      throw new Failure('invalid_input', t('takes.no_such_word'), { field: index < 0 ? 'index' : 'start' });
    }
    const moved = moveWord(edited.alignment, index, { start, end }, seconds);
    const before = { alignment: edited.alignment, from: moved.from, to: moved.to };
    const made = await this.#follow(id, edited, moved);
    const moves = [...(this.#moves.get(id) ?? []), before].slice(-maxMoves);
    this.#moves.set(id, moves);
    return made;
  }

  /**
   * Undoes the last move; null if there was none since the alignment.
   *
   * @throws Failure `not_found`, `storage`; `conflict` during an analysis
   */
  async undoMove(id: string): Promise<MovedWords | null> {
    const edited = await this.#edit(id);
    const before = this.#moves.get(id)?.at(-1);
    if (!before) return null;
    const made = await this.#follow(id, edited, before);
    this.#moves.get(id)?.pop();
    return made;
  }

  /**
   * Drops the engine's data of removed takes, and cancels their analysis. After a take is restored from the
   * trash, it is analysed again when its face is needed.
   */
  async forget(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      if (this.#running?.id === id) this.#running.abort.abort();
      if (this.#progress.has(id)) this.#publish({ id, stage: 'stopped', share: 0, problem: '' });
      this.#moves.delete(id);
      await this.#forgetRecording(id);
    }
  }

  /** Aborts the running analysis, which continues when the studio starts again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#running?.abort.abort();
    await this.#edited?.saving;
  }

  async #forgetRecording(id: string): Promise<void> {
    const { speech, warn } = this.#options;
    const recording = this.#recordings.get(id);
    this.#recordings.delete(id);
    // Two takes with the same audio share one analysis.
    if (recording === undefined || [...this.#recordings.values()].includes(recording)) return;
    await speech
      .forget(recording)
      .catch((error: unknown) =>
        warn(`The engine could not forget the take ${id}: ${inEnglish(messageOf(error))}`),
      );
  }

  #enqueue(id: string): void {
    if (this.#running?.id === id) this.#running.abort.abort();
    this.#publish({ id, stage: 'waiting', share: 0, problem: '' });
    void this.#next();
  }

  async #next(): Promise<void> {
    if (this.#running || this.#isClosed) return;
    const id = [...this.#progress.values()].find(({ stage }) => stage === 'waiting')?.id;
    if (id === undefined) return;
    const abort = new AbortController();
    const running = { id, abort };
    this.#running = running;
    try {
      const problem = await this.#hear(id, abort.signal);
      if (!abort.signal.aborted) this.#publish({ id, stage: 'done', share: 1, problem });
    } catch (error) {
      if (!abort.signal.aborted) await this.#fail(id, error);
    } finally {
      this.#running = null;
      void this.#next();
    }
  }

  async #fail(id: string, error: unknown): Promise<void> {
    const problem = messageOf(error);
    this.#options.warn(`The take ${id} could not be heard again: ${inEnglish(problem)}`);
    // A take that was removed meanwhile has no record for the error.
    await this.#options.takes.edit(id, { secondHearing: 'failed' }).catch(() => undefined);
    this.#publish({ id, stage: 'failed', share: 0, problem });
  }

  /** @returns why the words were not used; empty if they were, or there are none */
  async #hear(id: string, signal: AbortSignal): Promise<Message> {
    const { takes, speech } = this.#options;
    await this.#closeEdited();
    const onProgress = (stage: AnalysisProgress['stage'], share: number): void => {
      if (!signal.aborted) this.#publish({ id, stage, share, problem: '' });
    };
    const folder = takes.folderOf(id);
    const had = await hasSecondFace(folder);
    const { seconds, frameRate, jaw, lips, tiers, script } = takes.record(id);
    const { pronunciations } = this.#options;
    const reportAnalysis = (share: number): void => onProgress('analysing', share);
    const made = await this.#withRecording(id, { onProgress: reportAnalysis, signal }, async (recording) => {
      const pinned = script ? await this.#pinned(folder, script.text) : [];
      const wishes = { script, pronunciations: pronunciations(), pinned, frameRate, jaw, lips };
      return faceOfRecording(speech, recording, wishes, { onProgress, signal }, (face) =>
        pendingFace(folder, face, seconds),
      );
    });
    try {
      signal.throwIfAborted();
      this.#moves.delete(id);
      await writeWords(folder, made.alignment && { script: script?.text ?? null, alignment: made.alignment });
      await made.face.commit();
    } catch (error) {
      await made.face.drop();
      throw error;
    }
    // The user chose a server's face and may have paid for it: it stays the shown one.
    const isShown = !had && !tiers.includes('server') && !tiers.includes('tracker');
    await takes.edit(id, { secondHearing: 'done', ...(isShown && { shownFace: 'second' }) });
    return made.problem;
  }

  /** Returns times that the user set, for words that are still in the transcript. */
  async #pinned(folder: string, text: string): Promise<{ index: number; start: number; end: number }[]> {
    const before = await readWords(folder);
    if (!before) return [];
    const stands = standsIn(text, before);
    return before.alignment.words.flatMap((word, index) =>
      word.pinned && stands(word) ? [{ index, start: word.start, end: word.end }] : [],
    );
  }

  #withRecording<T>(id: string, call: SpeechCall, use: (recording: string) => Promise<T>): Promise<T> {
    return despiteRestarts(() => this.#heardOnce(id, call, use));
  }

  /** Analyses a take's audio, or uses the engine's kept analysis. */
  async #heardOnce<T>(id: string, call: SpeechCall, use: (recording: string) => Promise<T>): Promise<T> {
    const known = this.#recordings.get(id);
    if (known !== undefined) {
      try {
        return await use(known);
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
        this.#recordings.delete(id);
      }
    }
    const path = await takeSoundPath(this.#options.takes, id);
    const { noise } = this.#options.takes.record(id);
    const { recording } = await this.#options.speech.hear(path, { ...call, noise });
    if (call.signal.aborted) {
      // It may have been erased during the analysis.
      await this.#options.speech.forget(recording);
      call.signal.throwIfAborted();
    }
    this.#recordings.set(id, recording);
    return use(recording);
  }

  /** Remakes the face where the words changed, and saves both. */
  async #follow(id: string, edited: EditedTake, change: ChangedWords): Promise<MovedWords> {
    const { seconds, frameRate, jaw, lips } = this.#options.takes.record(id);
    const { alignment } = change;
    const from = Math.max(0, change.from - reach);
    const to = Math.min(seconds, change.to + reach);
    const signal = AbortSignal.timeout(60_000);
    const part = await this.#withRecording(id, { onProgress: () => {}, signal }, (recording) =>
      this.#options.speech.face({ recording, alignment, frameRate, jaw, lips, from, to }, signal),
    );
    edited.alignment = alignment;
    edited.face = { ...edited.face, frames: splicedFrames(edited.face.frames, part.frames, frameRate) };
    this.#save(id, edited);
    const face = Buffer.concat([...faceMessages(part, seconds)]).toString('base64');
    return { alignment, from, to, face };
  }

  /** @throws Failure `conflict` during an analysis, or if there is nothing to edit */
  async #edit(id: string): Promise<EditedTake> {
    if (this.#progress.has(id)) {
      throw new Failure('conflict', t('takes.being_heard'), { hint: t('takes.wait_or_stop') });
    }
    if (this.#edited?.id === id) return this.#edited;
    await this.#closeEdited();
    const folder = this.#options.takes.folderOf(id);
    const [words, face] = await Promise.all([readWords(folder), readFullPassFace(folder)]);
    if (!words || !face) {
      throw new Failure('conflict', t('takes.no_full_pass'), { hint: t('takes.reanalyse_first') });
    }
    this.#edited = { id, ...words, face, saving: Promise.resolve() };
    return this.#edited;
  }

  /** One write at a time; of several moves meanwhile, only the last is written. */
  #save(id: string, edited: EditedTake): void {
    const { script, alignment, face } = edited;
    edited.saving = edited.saving
      .then(async () => {
        if (edited.alignment !== alignment) return;
        const { takes } = this.#options;
        const folder = takes.folderOf(id);
        await writeSecondFace(folder, face, takes.record(id).seconds);
        await writeWords(folder, { script, alignment });
      })
      .catch((error: unknown) => this.#fail(id, error));
  }

  async #closeEdited(): Promise<void> {
    const edited = this.#edited;
    this.#edited = null;
    await edited?.saving;
  }

  /** Fields of a take's record after its request was completed. */
  async #settle(id: string): Promise<void> {
    const { takes } = this.#options;
    const has = await hasSecondFace(takes.folderOf(id)).catch(() => false);
    await takes.edit(id, { secondHearing: has ? 'done' : 'none' }).catch(() => undefined);
  }

  #publish(progress: AnalysisProgress): void {
    if (['done', 'stopped', 'failed'].includes(progress.stage)) this.#progress.delete(progress.id);
    else this.#progress.set(progress.id, progress);
    this.#options.onProgress(progress);
  }
}

/** Words, and the range in seconds in which they change. */
interface ChangedWords {
  readonly alignment: SpeechAlignment;
  readonly from: number;
  readonly to: number;
}

interface EditedTake {
  readonly id: string;
  readonly script: KeptWords['script'];
  alignment: SpeechAlignment;
  face: TakeFace;
  saving: Promise<void>;
}

/**
 * Whether a transcript still contains one of these words. Spoken numbers differ from their written form, so
 * an identical transcript is not compared.
 */
const standsIn =
  (text: string, { script }: KeptWords) =>
  ({ from, to, text: word }: AlignedWord): boolean =>
    script === text || text.slice(from, to) === word;
