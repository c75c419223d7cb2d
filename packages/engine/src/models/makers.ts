import { inBoth } from '@likeness/messages';
import type { PortraitErrorCode } from '@likeness/portrait';
import { loadDefaultMesh } from '../faces/default_mesh.ts';
import type { FaceMaker, FaceMesh } from '../faces/face_maker.ts';
import { Refusal } from '../http/refusal.ts';
import type { RecordingMaker } from '../recordings/recording_maker.ts';
import type { HeadMaker } from './head_maker.ts';

export interface MakersOptions {
  /** Heads made at the same time. Default: all cores but one. */
  concurrentHeads?: number;
  /** The portrait part's worker, as placed by a bundler; undefined: beside its sources. */
  portraitWorker?: URL | undefined;
  /** The speech part's weights, as placed by the build; undefined: beside its sources. */
  speechWeights?: URL | undefined;
  /** The thread that analyses recordings, as placed by a bundler; undefined: beside its sources. */
  recordingWorker?: URL | undefined;
  /** The full pass's weights, as placed by the build; undefined: beside its sources. */
  fullPassWeights?: URL | undefined;
}

/** HTTP statuses of errors that the photo didn't cause. */
const refusalStatus: Readonly<Partial<Record<PortraitErrorCode, number>>> = {
  photo_not_kept: 404,
  cancelled: 503,
  engine_closed: 503,
};

/**
 * Returns the makers of heads, faces and recordings. Each loads on first use: a session with audio only never
 * loads the networks of the portrait part.
 */
export function createMakers({
  concurrentHeads,
  portraitWorker,
  speechWeights,
  recordingWorker,
  fullPassWeights,
}: MakersOptions = {}): {
  loadHeadMaker: () => Promise<HeadMaker>;
  loadFaceMaker: () => Promise<FaceMaker>;
  loadRecordingMaker: () => Promise<RecordingMaker>;
} {
  return {
    async loadHeadMaker() {
      const { createPortraitEngine, engineVersion, PortraitError, portraitFailMessage } = await import(
        '@likeness/portrait'
      );
      const engine = createPortraitEngine({
        ...(portraitWorker && { workerUrl: portraitWorker }),
        ...(concurrentHeads && { workers: concurrentHeads }),
      });
      const refusing = <T>(work: Promise<T>): Promise<T> =>
        work.catch((error: unknown) => {
          if (!(error instanceof PortraitError)) throw error;
          throw new Refusal(refusalStatus[error.code] ?? 422, error.code, portraitFailMessage(error));
        });
      return {
        version: engineVersion,
        parallel: engine.load.workers,
        async makeHead({
          photo,
          others,
          sex,
          eyelidType,
          corrections,
          options,
          anyway,
          preview,
          onStage,
          signal,
        }) {
          const { glb, report } = await engine.head({
            photo,
            ...(others?.length && { others }),
            sex: sex === 1 ? 'female' : 'male',
            ...(eyelidType && { eyelidType: eyelidType === 1 ? 'single' : 'double' }),
            ...(corrections && { corrections }),
            ...(options && { options }),
            ...(anyway && { anyway }),
            ...(preview && { preview }),
            ...(onStage && { onStage }),
            signal,
          });
          return { glb, ...(report.photos && { photos: report.photos }) };
        },
        photos: {
          check: (photo, crop, signal) => refusing(engine.check(photo, crop, signal)),
          outline: (request) => refusing(engine.outline(request)),
          crop: (photo, crop, signal) => refusing(engine.crop(photo, crop, signal)),
        },
        explain: (error) => (error instanceof PortraitError ? inBoth(portraitFailMessage(error)) : null),
        yieldTo: (isSpeaking) => engine.yieldTo(isSpeaking),
        close: () => engine.close(),
      };
    },
    async loadFaceMaker() {
      const { loadSpeechModel, SpeechFace, speechFaceChannels } = await import('@likeness/speech');
      const model = loadSpeechModel(speechWeights);
      let mesh: Promise<FaceMesh> | undefined;
      return {
        channelNames: speechFaceChannels,
        open: ({ lookahead, ...options }) => new SpeechFace(model, { ...options, lookahead }),
        loadMesh: () => (mesh ??= loadDefaultMesh(speechFaceChannels)),
      };
    },
    async loadRecordingMaker() {
      const { createRecordingMaker } = await import('../recordings/recording_maker.ts');
      const { speechFaceChannels } = await import('@likeness/speech');
      return createRecordingMaker({
        channelNames: speechFaceChannels,
        workerUrl: recordingWorker,
        weights: fullPassWeights,
      });
    },
  };
}
