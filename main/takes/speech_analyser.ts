import { joinMessages, type KeyedMessage, type Message, t } from '@likeness/messages';
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

/** A long-running request to the engine. */
export interface SpeechCall {
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Analyses recordings and makes their faces: the built-in engine. */
export interface SpeechAnalyser {
  /**
   * Analyses a WAV file, by its path. @returns an id under which the analysis is kept for some time
   * @throws Failure
   */
  hear(sound: string, call: SpeechCall & { noise?: NoiseTreatment }): Promise<{ recording: string }>;
  /** @throws Failure `not_found` if the recording is no longer kept */
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
  /** Drops the data of a recording; no error if there is none. @throws Failure */
  forget(recording: string): Promise<void>;
}

interface FaceRequest {
  recording: string;
  alignment: SpeechAlignment | null;
  frameRate: number;
  jaw: number;
  lips: number;
}

/** Result of using a transcript: words with their times, or why they were not used. */
export interface HeardScript {
  /** Null: there is no transcript, or it contains no words. */
  alignment: SpeechAlignment | null;
  /** Empty if the words were used, or there are none. */
  problem: Message;
}

/** A face, and the result for its transcript. */
export interface WholeSoundFace<Face = PlayableFace> extends HeardScript {
  face: Face;
}

/** As {@link SpeechCall}, with all settings. */
export interface AnalysisCall {
  onProgress: (stage: 'analysing' | 'aligning' | 'making', share: number) => void;
  signal: AbortSignal;
}

interface FaceWishes {
  /** The transcript; null: unknown. */
  script: Pick<Script, 'text' | 'language'> | null;
  /** The user's pronunciations: word → phones. */
  pronunciations: Readonly<Record<string, string>>;
  /** Words of the transcript whose times the user set. */
  pinned: readonly { index: number; start: number; end: number }[];
  /** Hertz, 24..120. */
  frameRate: number;
  /** Gain of jaw opening and lip movement; 1 is neutral. */
  jaw: number;
  lips: number;
}

/**
 * Makes the face of an analysed recording, from its words if known.
 *
 * @param keep receives its hundreds of thousands of frames
 * @throws Failure `not_found` if the recording is no longer kept
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

/** Only words that were found in the audio are used. */
export const usedAlignment = ({ alignment }: HeardScript): SpeechAlignment | null =>
  alignment?.verdict === 'aligned' ? alignment : null;

export type WholeSoundOptions = Omit<FaceWishes, 'pinned'> & {
  /** Path of a WAV file. */
  sound: string;
  noise: NoiseTreatment;
};

/** Maximum engine crashes during one task before the audio counts as their cause. */
const maxEngineEnds = 2;

/** Restarts the task if the engine exited during it. A new engine has no recordings. */
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
 * The same for an audio file, which is analysed first. Its face is packed: three hours have 200 MB.
 *
 * @throws Failure if the audio can't be analysed
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

/** Why a transcript's words were not found in the audio; null if they were, or nobody searched. */
export function whyUnused(alignment: HeardScript['alignment']): KeyedMessage | null {
  if (alignment?.verdict === 'other_words') return t('takes.other_words');
  return alignment?.verdict === 'no_speech' ? t('takes.no_speech') : null;
}

/** Aligns a transcript with a recording. An unusable transcript is reported but does not prevent the face. */
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
    // The engine names the transcript's problem: empty, too long, or an unsupported language.
    if (!(error instanceof Failure) || error.code !== 'unsupported') throw error;
    return { alignment: null, problem: error.userMessage };
  }
}
