import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Crop, wholePicture } from '@likeness/proto/crop.ts';
import type { LiveOptions } from '../live/live_calls.ts';
import { speakAfterwards } from '../live/speak_afterwards.ts';
import type { RenderSound } from '../takes/edits/edited_sounds.ts';
import { ExportedTakes } from '../takes/export/exported_takes.ts';
import { finishedTake } from '../takes/finished_take.ts';
import { createTakeFeed, type TakeFeed } from '../takes/list/take_feed.ts';
import { TakeList } from '../takes/list/take_list.ts';
import {
  type AnalysisCall,
  despiteRestarts,
  type SpeechAnalyser,
  type WholeSoundFace,
  type WholeSoundOptions,
  wholeSoundFace,
} from '../takes/speech_analyser.ts';
import { TakeAnalysis } from '../takes/take_analysis.ts';
import { Takes } from '../takes/takes.ts';
import { FilmPictures } from '../takes/video/film_pictures.ts';
import { Films } from '../takes/video/films.ts';
import { type MakeView, TakeViews } from '../takes/views/take_views.ts';
import type { Connected } from './compose_connections.ts';
import type { CoreServices } from './compose_core.ts';
import type { KnownHeads } from './known_heads.ts';

/** The services of other rooms that live sessions and later analysis of takes need to make a face. */
export type Voices = Pick<LiveOptions, 'journal' | 'openClients' | 'profile'>;

export const composeVoices = (
  { journal }: CoreServices,
  { connections, openLiveClients }: Connected,
): Voices => ({
  journal,
  openClients: openLiveClients,
  async profile(id) {
    const { profileName, stream } = await connections.resolve(id);
    return { name: profileName, words: stream.words };
  },
});

/** Makes the face of audio that is not a take. @throws Failure if it can't be analysed */
export type FaceOfSound = (
  options: Omit<WholeSoundOptions, 'pronunciations'>,
  call: AnalysisCall,
) => Promise<WholeSoundFace>;

export interface ComposedTakes {
  takes: Takes;
  takeViews: TakeViews;
  takeList: TakeList;
  takeFeed: TakeFeed;
  analysis: TakeAnalysis;
  takeExports: ExportedTakes;
  faceOfSound: FaceOfSound;
}

/** @throws Failure `storage` */
export async function composeTakes(
  { layout, log, emit, settings, report }: CoreServices,
  voices: Voices,
  speech: SpeechAnalyser,
  { renderSound, makeView }: { renderSound: RenderSound; makeView: MakeView },
): Promise<ComposedTakes> {
  const warn = (text: string): void => void log.warn(text);
  const pronunciations = (): Record<string, string> =>
    Object.fromEntries(settings.get().pronunciations.map(({ word, phones }) => [word, phones]));
  const takeViews = new TakeViews(warn, makeView);
  let list: TakeList | undefined;
  let takeFeed: TakeFeed | undefined;
  const takes = await Takes.open({
    folder: layout.takesFolder,
    clock: Date.now,
    randomId: () => randomBytes(4).toString('hex'),
    speak: (sound, frameRate) => despiteRestarts(() => speakAfterwards(voices, sound, frameRate)),
    warn,
    renderSound,
    onEdited: (state) => emit('takeEdits', 'changed', state),
    onChanged: (changes) => {
      list?.changed();
      takeFeed?.changes(changes);
      if (changes.removed.length > 0) void analysis.forget(changes.removed);
    },
    onRecorded: (id) => {
      void takeViews.want(takes.folderOf(id));
      void analysis.want(id).catch((error: unknown) => warn(String(error)));
    },
  });
  list = new TakeList(takes, Date.now);
  takeFeed = createTakeFeed({
    some: (ids) => takes.some(ids),
    emit: (payload) => emit('takes', 'changed', payload),
    onDefect: (error) => report('takes', error),
  });
  const analysis: TakeAnalysis = new TakeAnalysis({
    takes,
    speech,
    pronunciations,
    onProgress: (progress) => emit('takes', 'analysis', progress),
    warn,
  });
  const takeExports = new ExportedTakes(layout.temporaryFolder, () => randomBytes(9).toString('base64url'));
  const faceOfSound: FaceOfSound = (options, call) =>
    wholeSoundFace(speech, { ...options, pronunciations: pronunciations() }, call);
  return { takes, takeViews, takeList: list, takeFeed, analysis, takeExports, faceOfSound };
}

type FilmsParts = Pick<ComposedTakes, 'takes' | 'analysis' | 'takeExports'> & {
  core: CoreServices;
  knownHeads: KnownHeads;
  cropPhoto: (photo: Uint8Array, crop: Crop) => Promise<Uint8Array>;
};

export interface ComposedFilms {
  films: Films;
  pictures: FilmPictures;
}

export function composeFilms({
  core: { layout },
  takes,
  analysis,
  takeExports,
  knownHeads,
  cropPhoto,
}: FilmsParts): ComposedFilms {
  const pictures = new FilmPictures(join(layout.temporaryFolder, 'film-pictures'), (photo) =>
    cropPhoto(photo, wholePicture),
  );
  const films = new Films({
    takes,
    pictures,
    finished: (id) => finishedTake(takes, analysis, id),
    exports: takeExports,
    defaultHead: knownHeads.defaultHead,
    drives: knownHeads.drives,
    folder: join(layout.temporaryFolder, 'films'),
    randomId: () => randomBytes(9).toString('base64url'),
    clock: Date.now,
  });
  return { films, pictures };
}
