import { type Message, translate } from '@likeness/messages';
import type { Handlers } from '#contract';
import type { DroppedFiles } from '../dropped_files.ts';
import type { EngineSupervisor } from '../engine_host/engine_supervisor.ts';
import { journalCalls } from '../journal_calls.ts';
import { liveCalls } from '../live/live_calls.ts';
import { namesCalls } from '../names/names_calls.ts';
import { sendCalls } from '../send/send_calls.ts';
import type { Sending } from '../send/sending.ts';
import type { Shell } from '../shell/shell.ts';
import { editsCalls } from '../takes/edits/edits_calls.ts';
import type { ExportedTakes } from '../takes/export/exported_takes.ts';
import { takeExportCalls } from '../takes/export/take_export_calls.ts';
import type { TakeList } from '../takes/list/take_list.ts';
import type { TakeAnalysis } from '../takes/take_analysis.ts';
import type { Takes } from '../takes/takes.ts';
import { takesCalls } from '../takes/takes_calls.ts';
import { subtitlesOfTake } from '../takes/video/film_cues.ts';
import type { FilmPictures } from '../takes/video/film_pictures.ts';
import type { Films } from '../takes/video/films.ts';
import { videoCalls } from '../takes/video/video_calls.ts';
import type { UpdateWatch } from '../updates.ts';
import { appCalls } from './compose_app.ts';
import type { Connected } from './compose_connections.ts';
import type { CoreServices } from './compose_core.ts';
import { engineCalls } from './compose_engine.ts';
import type { Heads } from './compose_heads.ts';
import type { Voices } from './compose_takes.ts';
import type { KnownHeads } from './known_heads.ts';

/** The rooms that implement the contract's calls. */
export interface Rooms {
  core: CoreServices;
  shell: Shell;
  connected: Connected;
  engine: EngineSupervisor;
  voices: Voices;
  heads: Heads;
  takes: Takes;
  takeList: TakeList;
  analysis: TakeAnalysis;
  takeExports: ExportedTakes;
  sending: Sending;
  films: Films;
  pictures: FilmPictures;
  takeDropped: DroppedFiles['take'];
  updates: UpdateWatch;
  knownHeads: KnownHeads;
}

/** Returns the handlers of the contract, room by room. */
export function composeHandlers(rooms: Rooms): Handlers {
  const { core, shell, connected, engine, heads, takes, takeList, analysis, takeExports, films } = rooms;
  const { updates, knownHeads, sending } = rooms;
  const head = knownHeads.bytes;
  const { connections } = connected;
  const { journal, nameTables, modelDrives } = core;
  return {
    app: appCalls({
      core,
      shell,
      connections,
      updates,
      libraryFolders: () => heads.libraries.list().map(({ folder }) => folder),
      onDefaultHead: () => sending.headsChanged(),
    }),
    connections: connected.calls,
    journal: journalCalls({
      journal,
      profiles: () => connections.metered(),
      nameOf: (profileId, remoteModelId) => heads.nameOf(profileId, remoteModelId),
      clock: Date.now,
    }),
    engine: engineCalls(engine, shell),
    ...heads.handlers,
    live: liveHandlers(rooms),
    send: sendCalls(sending),
    takes: takesCalls({
      takes,
      list: takeList,
      analysis,
      exports: {
        async erase(gone) {
          await films.erase(gone);
          return takeExports.erase(gone);
        },
      },
      reveal: (path) => shell.reveal(path),
      head,
    }),
    takeEdits: editsCalls(takes, analysis),
    takeExports: takeExportCalls({
      takes,
      analysis,
      exports: takeExports,
      head,
      drives: (modelId) => modelDrives.of(modelId),
      convertTake: heads.convertTake,
      onProgress: (progress) => core.emit('takeExports', 'progress', progress),
      clock: Date.now,
    }),
    names: namesCalls({
      tables: nameTables,
      drives: modelDrives,
      head,
      async onDrives(modelId) {
        core.emit('names', 'drivesChanged', { modelId });
        await sending.headsChanged();
      },
    }),
    video: videoHandlers(rooms),
  };
}

function videoHandlers({
  core,
  shell,
  films,
  pictures,
  takeDropped,
  takes,
  analysis,
}: Rooms): Handlers['video'] {
  const words = (message: Message): string => translate(message, core.settings.get().language);
  return videoCalls({
    films,
    pictures,
    takeDropped,
    subtitles: (takeId) => subtitlesOfTake(takes, analysis, takeId),
    words,
    // In a browser the page downloads a film like all exports.
    ...(shell.kind === 'electron' && {
      chooseFolder: async (title: string) => (await shell.choose({ title, kind: 'folder' }))?.[0] ?? null,
    }),
  });
}

function liveHandlers({ core, shell, engine, voices, heads, takes, sending }: Rooms): Handlers['live'] {
  const { emit, report } = core;
  return {
    ...liveCalls({
      ...voices,
      startTake: (take) => takes.start(take),
      watch: () => sending.watch(),
      onTracked: (listener) => sending.onTracked(listener),
      onSpeaking(isSpeaking) {
        heads.yieldTo(isSpeaking);
        engine.yieldTo(isSpeaking);
      },
      now: Date.now,
      onDefect: report,
    }),
    async popOut(wanted) {
      await shell.popOut(wanted);
      return undefined;
    },
    async setHotkeys(hotkeys) {
      return { refused: await shell.setHotkeys(hotkeys, (action) => emit('live', 'hotkey', { action })) };
    },
  };
}
