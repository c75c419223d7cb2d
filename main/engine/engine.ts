import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineFolder } from './engine_folder.ts';
import { takeEngineFolder } from './engine_folder.ts';
import type { ExternalListener, ExternalState } from './engine_messages.ts';
import { ExternalServer } from './external_server.ts';
import type { FaceMaker } from './faces/face_maker.ts';
import { Traces } from './faces/traces.ts';
import { createVoiceWatch } from './faces/voice_watch.ts';
import { defaultLimits, type EngineLimits } from './http/limits.ts';
import { startEngineServer } from './http/server.ts';
import type { ServiceKeys } from './http/service_keys.ts';
import type { Log } from './log.ts';
import type { HeadMaker } from './models/head_maker.ts';
import { createImageTasks } from './models/image_task_records.ts';
import { type Load, ModelQueue } from './models/model_queue.ts';
import type { RecordingMaker } from './recordings/recording_maker.ts';
import { createRecordingStore } from './recordings/recording_store.ts';

export interface EngineOptions {
  version: string;
  /** Absolute; made where it isn't there. */
  folder: string;
  pathWord: string;
  keys: ServiceKeys;
  limits?: Partial<EngineLimits>;
  /** What computes, loaded at the first need. Null: answered with an honest failure. */
  loadHeadMaker: (() => Promise<HeadMaker>) | null;
  loadFaceMaker: (() => Promise<FaceMaker>) | null;
  loadRecordingMaker: (() => Promise<RecordingMaker>) | null;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  onLoad: (load: Load) => void;
  log: Log;
}

export interface RunningEngine {
  /** Port of the studio's own listener. */
  port: number;
  /** Opens the service on a fixed port besides, moves it, or closes it. */
  setExternal(external: ExternalListener | null): Promise<ExternalState>;
  /** While somebody speaks to another server, heads and photos come second here too. */
  yieldTo(isSpeaking: boolean): void;
  close(): Promise<void>;
}

/** Loads a part at the first need, once for all who need it, and anew where that failed. */
function loadedOnce<T>(load: () => Promise<T>, onLoaded: (part: T) => void = () => {}): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().then(
      (part) => {
        onLoaded(part);
        return part;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
}

/** How often old models, results and traces are looked for. Milliseconds. */
const sweepInterval = 600_000;
/** What open requests get to end by themselves when the engine closes. Milliseconds. */
const closeGrace = 2000;

/** Builds the engine of its parts and opens it on a free port of 127.0.0.1. */
export async function startEngine(options: EngineOptions): Promise<RunningEngine> {
  const { version, pathWord, keys, clock, log, onLoad } = options;
  const limits: EngineLimits = { ...defaultLimits, ...options.limits };
  const folder: EngineFolder = takeEngineFolder(options.folder, clock);
  if (folder.damaged) {
    const { fileName, reason } = folder.damaged;
    log('warning', `the engine's database was damaged (${reason}); it is kept aside as ${fileName}`);
  }
  const loadFaceMaker = options.loadFaceMaker && loadedOnce(options.loadFaceMaker);
  const makers: (HeadMaker | RecordingMaker)[] = [];
  const onLoaded = (loaded: HeadMaker | RecordingMaker): void => {
    makers.push(loaded);
    if (isYielding()) loaded.yieldTo?.(true);
  };
  const loadHeadMaker = options.loadHeadMaker && loadedOnce(options.loadHeadMaker, onLoaded);
  const loadRecordingMaker = options.loadRecordingMaker && loadedOnce(options.loadRecordingMaker, onLoaded);
  /**
   * Who says that somebody speaks: a voice that this engine hears, or the studio for one that goes elsewhere.
   */
  const speaking = { here: false, elsewhere: false };
  const isYielding = (): boolean => speaking.here || speaking.elsewhere;
  const speak = (where: keyof typeof speaking, isSpeaking: boolean): void => {
    const before = isYielding();
    speaking[where] = isSpeaking;
    if (isYielding() !== before) for (const maker of makers) maker.yieldTo?.(isYielding());
  };
  const queue = new ModelQueue({ folder, loadHeadMaker, limits, clock, onLoad, log });
  const tasks = createImageTasks(folder, limits, clock, (photo) => queue.dropPhoto(photo));
  const traces = new Traces(limits, clock);
  const voices = createVoiceWatch(
    (isSpeaking) => speak('here', isSpeaking),
    clock,
    (milliseconds, callback) => setTimeout(callback, milliseconds).unref(),
  );
  const shared = {
    pathWord,
    version,
    incoming: folder.incoming,
    queue,
    tasks,
    limits,
    log,
    audio: {
      traces,
      limits,
      log,
      onVoice: () => voices.heard(),
      inFlight: { bytes: 0 },
      loadFaceMaker,
    },
    recordings: {
      loadRecordingMaker,
      store: createRecordingStore(join(folder.incoming, 'recordings'), limits.keptRecordingBytes),
      folder: folder.incoming,
      limits,
      inFlight: { requests: 0, bytes: 0 },
      log,
    },
    photos: { loadHeadMaker, folder: folder.incoming, limits, inFlight: { requests: 0 } },
  };
  const own = await startEngineServer({ ...shared, keys, caller: 'studio' }, 0);

  const external = new ExternalServer(shared);

  const sweeping = setInterval(() => {
    try {
      queue.sweep();
      tasks.sweep();
      traces.expire();
    } catch (error) {
      log('warning', 'old results could not be cleared away', error);
    }
  }, sweepInterval);
  sweeping.unref();
  tasks.sweep();

  return {
    port: own.port,
    setExternal: (wanted) => external.set(wanted),
    yieldTo: (isSpeaking) => speak('elsewhere', isSpeaking),
    async close() {
      clearInterval(sweeping);
      await Promise.all([own.close(closeGrace), external.close(closeGrace)]);
      await queue.close();
      await Promise.all(makers.map((maker) => maker.close()));
      folder.release();
      await rm(folder.incoming, { recursive: true, force: true });
    },
  };
}
