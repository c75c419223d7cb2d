import { joinMessages, type Message, type Sentence, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { PackedFace } from '@likeness/proto/face/packed_face.ts';
import type { NoiseTreatment } from '@likeness/proto/speech/noise_treatment.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import {
  mergedFace,
  type PlayableFace,
  type StreamedFace,
  type TakeFace,
} from '@likeness/proto/take_stream.ts';
import type { Script } from '#contract';

/** A question to the engine that takes a while. */
export interface SpeechCall {
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** What hears a recording and makes its face: the built-in engine. */
export interface SpeechAnalyser {
  /**
   * Hears a WAV file, by its path. @returns a name for it, under which what was heard is kept for a while
   * @throws Failure
   */
  hear(sound: string, call: SpeechCall & { noise?: NoiseTreatment }): Promise<{ recording: string }>;
  /** @throws Failure `not_found` where the recording is no longer kept */
  align(
    request: {
      recording: string;
      script: string;
      language: Script['language'];
      pronunciations: Readonly<Record<string, string>>;
      pinned: readonly { index: number; start: number; end: number }[];
    },
    call: SpeechCall,
  ): Promise<SpeechAlignment>;
  /** The frames from `from` to `to`, seconds. @throws Failure `not_found` as above */
  face(request: FaceRequest & { from: number; to: number }, signal: AbortSignal): Promise<TakeFace>;
  /** All frames, as they are made. @throws Failure `not_found` as above; its frames throw where they are cut off */
  streamedFace(request: FaceRequest, signal: AbortSignal): Promise<StreamedFace>;
  /** Keeps nothing more of a recording; no fault where nothing is kept. @throws Failure */
  forget(recording: string): Promise<void>;
}

interface FaceRequest {
  recording: string;
  alignment: SpeechAlignment | null;
  frameRate: number;
  jaw: number;
  lips: number;
}

/** What came of a script: its words with their times, or why they were not used. */
export interface HeardScript {
  /** Null: there is no script, or it could not be read as words. */
  alignment: SpeechAlignment | null;
  /** Empty where the words were used, or there are none. */
  problem: Message;
}

/** A face, and what came of the words that it was to be made with. */
export interface WholeSoundFace<Face = PlayableFace> extends HeardScript {
  face: Face;
}

/** As {@link SpeechCall}, of all that has to be asked. */
export interface AnalysisCall {
  onProgress: (stage: 'analysing' | 'aligning' | 'making', share: number) => void;
  signal: AbortSignal;
}

interface FaceWishes {
  /** What is said; null: not known. */
  script: Pick<Script, 'text' | 'language'> | null;
  /** The person's own: word → phones. */
  pronunciations: Readonly<Record<string, string>>;
  /** Words of the script whose times a person has set. */
  pinned: readonly { index: number; start: number; end: number }[];
  /** Hertz, 24..120. */
  frameRate: number;
  /** How far the jaw opens and the lips move; 1 as it was heard. */
  jaw: number;
  lips: number;
}

/**
 * Makes the face of a recording that was heard, by the words where they are known.
 *
 * @param keep what becomes of its frames, which are hundreds of thousands
 * @throws Failure `not_found` where the recording is no longer kept
 */
export async function faceOfRecording<Face>(
  speech: SpeechAnalyser,
  recording: string,
  { script, pronunciations, pinned, ...faceOptions }: FaceWishes,
  { onProgress, signal }: AnalysisCall,
  keep: (face: StreamedFace) => Promise<Face>,
): Promise<WholeSoundFace<Face>> {
  const heard: HeardScript = script
    ? await alignOrTell(
        speech,
        { recording, script: script.text, language: script.language, pronunciations, pinned },
        { onProgress: (share) => onProgress('aligning', share), signal },
      )
    : { alignment: null, problem: '' };
  onProgress('making', 0);
  const streamed = await speech.streamedFace(
    { recording, alignment: usedAlignment(heard), ...faceOptions },
    signal,
  );
  return { ...heard, face: await keep(streamed) };
}

/** Of a script's words only those that were found are used. */
export const usedAlignment = ({ alignment }: HeardScript): SpeechAlignment | null =>
  alignment?.verdict === 'aligned' ? alignment : null;

export type WholeSoundOptions = Omit<FaceWishes, 'pinned'> & {
  /** Path of a WAV file. */
  sound: string;
  noise: NoiseTreatment;
};

/** Times that the engine may end during one piece of work before the sound is taken to be the cause. */
const maxEngineEnds = 2;

/** Starts the work again where the engine ended in the middle of it. A new engine has no recordings. */
export async function despiteRestarts<T>(work: () => Promise<T>): Promise<T> {
  for (let ends = 1; ; ends += 1) {
    try {
      return await work();
    } catch (error) {
      const isGone =
        error instanceof Failure &&
        (error.code === 'unreachable' || (error.code === 'not_found' && error.retryable));
      if (!isGone || ends > maxEngineEnds) throw error;
    }
  }
}

/**
 * The same of a sound, which is heard first. Its face is packed: of three hours it has 200 MB.
 *
 * @throws Failure where the sound can't be heard
 */
export function wholeSoundFace(
  speech: SpeechAnalyser,
  { sound, noise, ...wishes }: WholeSoundOptions,
  call: AnalysisCall,
): Promise<WholeSoundFace> {
  const onProgress = (share: number): void => call.onProgress('analysing', share);
  return despiteRestarts(async () => {
    const { recording } = await speech.hear(sound, { onProgress, signal: call.signal, noise });
    return faceOfRecording(speech, recording, { ...wishes, pinned: [] }, call, packedFace);
  });
}

async function packedFace({ channelNames, frameRate, frames }: StreamedFace): Promise<PlayableFace> {
  const face = new PackedFace({ channelNames, frameRate });
  for await (const frame of frames) face.push(frame);
  return face.frames.length > 0 ? face.trimmed() : mergedFace([]);
}

/** Why a script's words were not found in a sound; null where they were, or nobody looked. */
export function whyUnused(alignment: HeardScript['alignment']): Sentence | null {
  if (alignment?.verdict === 'other_words') return t('takes.other_words');
  return alignment?.verdict === 'no_speech' ? t('takes.no_speech') : null;
}

/** A script's words in a recording. A script that can't be used is told, and is no reason to make no face. */
async function alignOrTell(
  speech: SpeechAnalyser,
  request: Parameters<SpeechAnalyser['align']>[0],
  call: Parameters<SpeechAnalyser['align']>[1],
): Promise<HeardScript> {
  try {
    const alignment = await speech.align(request, call);
    const why = whyUnused(alignment);
    return { alignment, problem: why === null ? '' : joinMessages(why, t('takes.sound_alone')) };
  } catch (error) {
    // The engine says what speaks against this script: empty, too long, of a language that it doesn't know.
    if (!(error instanceof Failure) || error.code !== 'unsupported') throw error;
    return { alignment: null, problem: error.userMessage };
  }
}
