import { loadDefaultMesh } from '../faces/default_mesh.ts';
import type { FaceMaker, FaceMesh } from '../faces/face_maker.ts';
import type { HeadMaker } from './head_maker.ts';

export interface MakersOptions {
  /** Where a bundler has put the portrait part's worker; undefined: beside its sources. */
  portraitWorker: URL | undefined;
  /** Where the build has put the speech part's weights; undefined: beside its sources. */
  speechWeights: URL | undefined;
}

/**
 * The parts that compute, behind the host's interfaces. Each is loaded when it is first needed: a session
 * that only speaks never loads the networks of the portrait part.
 */
export function createMakers({ portraitWorker, speechWeights }: MakersOptions): {
  loadHeadMaker: () => Promise<HeadMaker>;
  loadFaceMaker: () => Promise<FaceMaker>;
} {
  return {
    async loadHeadMaker() {
      const { createPortraitEngine, engineVersion, PortraitError, portraitFailMessage } = await import(
        '../portrait/index.ts'
      );
      const engine = await createPortraitEngine(portraitWorker ? { workerUrl: portraitWorker } : {});
      return {
        version: engineVersion,
        parallel: engine.load.workers,
        async makeHead({ photo, sex, eyelidType, corrections, anyway, onStage, signal }) {
          const { glb } = await engine.head({
            photo,
            sex: sex === 1 ? 'female' : 'male',
            ...(eyelidType && { eyelidType: eyelidType === 1 ? 'single' : 'double' }),
            ...(corrections && { corrections }),
            ...(anyway && { anyway }),
            ...(onStage && { onStage }),
            signal,
          });
          return glb;
        },
        explain: (error) =>
          error instanceof PortraitError
            ? { en: portraitFailMessage(error, 'en'), zh: portraitFailMessage(error, 'zh') }
            : null,
        yieldTo: (isSpeaking) => engine.yieldTo(isSpeaking),
        close: () => engine.close(),
      };
    },
    async loadFaceMaker() {
      const { loadSpeechModel, SpeechFace, speechFaceChannels } = await import('../speech/index.ts');
      const model = loadSpeechModel(speechWeights);
      let mesh: Promise<FaceMesh> | undefined;
      return {
        channelNames: speechFaceChannels,
        open: ({ lookahead, ...options }) => new SpeechFace(model, { ...options, lookahead }),
        loadMesh: () => (mesh ??= loadDefaultMesh(speechFaceChannels)),
      };
    },
  };
}
