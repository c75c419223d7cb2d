import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineFolder } from './engine_folder.ts';
import { takeEngineFolder } from './engine_folder.ts';
import type { ExternalListener, ExternalState } from './engine_messages.ts';
import { ExternalServer } from './external_server.ts';
import type { FaceMaker } from './faces/face_maker.ts';
import { type TraceKeeper, Traces } from './faces/traces.ts';
import { createVoiceWatch } from './faces/voice_watch.ts';
import { accessByKeys } from './http/access.ts';
import { FairShares } from './http/fair_shares.ts';
import { defaultLimits, type EngineLimits } from './http/limits.ts';
import { onLoopback } from './http/listen_address.ts';
import { type EngineServerOptions, startEngineServer } from './http/server.ts';
import type { ServiceKeys } from './http/service_keys.ts';
import type { Log } from './log.ts';
import type { HeadMaker } from './models/head_maker.ts';
import { createImageTasks, imageTasksAsModels } from './models/image_task_records.ts';
import type { Load, ModelJobs } from './models/model_jobs.ts';
import { ModelQueue } from './models/model_queue.ts';
import type { RecordingMaker } from './recordings/recording_maker.ts';
import { createRecordingStore } from './recordings/recording_store.ts';
import { unusable } from './unusable_folder.ts';

export interface EngineOptions {
  version: string;
  /** Absolute path; created where it is missing. */
  folder: string;
  /** Whether no other engine may run on the folder: its orders would be unknown here, and be made and billed again. */
  isOnly?: boolean;
  pathWord: string;
  keys: ServiceKeys;
  limits?: Partial<EngineLimits>;
  /** The parts that compute, loaded on first use. Null: requests for it are answered with an error. */
  loadHeadMaker: (() => Promise<HeadMaker>) | null;
  loadFaceMaker: (() => Promise<FaceMaker>) | null;
  loadRecordingMaker: (() => Promise<RecordingMaker>) | null;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  onLoad: (load: Load) => void;
  log: Log;
  /** Shared by several machines. Absent: this engine runs on one machine alone. */
  shared?: SharedParts | undefined;
  /** Whether heads are made of the images of A2; otherwise they are only kept. */
  makesImageTasks?: boolean;
}

/** Services that several machines share. Closing the engine closes them. */
export interface SharedParts {
  queue: ModelJobs;
  traces: TraceKeeper;
}

export interface RunningEngine {
  /** Port of the studio's own listener. */
  port: number;
  /** Opens the service on an additional fixed port, moves it, or closes it. */
  setExternal(external: ExternalListener | null): Promise<ExternalState>;
  /** Lowers the priority of heads and photos while a voice streams to another server. */
  yieldTo(isSpeaking: boolean): void;
  close(): Promise<void>;
}

/** Loads a part on first use, once for all callers, and again if that failed. */
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

/** Interval at which old models, results and traces are removed. Milliseconds. */
const sweepInterval = 600_000;
/** Time for open requests to finish when the engine closes. Milliseconds. */
const closeGrace = 2000;

/** An engine without a listener: the parts that each of its listeners needs, and its shutdown. */
export interface OpenEngine {
  parts: EngineParts;
  /** Lowers the priority of heads and photos while a voice streams to another server. */
  yieldTo(isSpeaking: boolean): void;
  /** Call once no listener is open any more. */
  close(): Promise<void>;
}

/** The options that all listeners of one engine share. */
export type EngineParts = Omit<EngineServerOptions, 'access' | 'watch' | 'more'>;

/** Builds the engine from its parts and opens it on a free port of 127.0.0.1. */
export async function startEngine({ keys, ...options }: EngineOptions): Promise<RunningEngine> {
  const { parts, yieldTo, close } = await openEngine(options);
  const own = await startEngineServer({ ...parts, access: accessByKeys(keys, 'studio') }, onLoopback(0));
  const external = new ExternalServer(parts);
  return {
    port: own.port,
    setExternal: (wanted) => external.set(wanted),
    yieldTo,
    async close() {
      await Promise.all([own.close(closeGrace), external.close(closeGrace)]);
      await close();
    },
  };
}

/** Builds the engine from its parts. @throws UnusableFolder */
export async function openEngine(options: Omit<EngineOptions, 'keys'>): Promise<OpenEngine> {
  const folder = takeEngineFolder(options.folder, options.clock, options.isOnly);
  try {
    return await openIn(folder, options);
  } catch (error) {
    await folder.release().catch(() => undefined);
    throw unusable(error, folder.path);
  }
}

async function openIn(folder: EngineFolder, options: Omit<EngineOptions, 'keys'>): Promise<OpenEngine> {
  const { version, pathWord, clock, log, onLoad } = options;
  const limits: EngineLimits = { ...defaultLimits, ...options.limits };
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
  /** Speech in progress: a voice stream in this engine, or one that the studio sends to another server. */
  const speaking = { here: false, elsewhere: false };
  const isYielding = (): boolean => speaking.here || speaking.elsewhere;
  const speak = (where: keyof typeof speaking, isSpeaking: boolean): void => {
    const before = isYielding();
    speaking[where] = isSpeaking;
    if (isYielding() !== before) for (const maker of makers) maker.yieldTo?.(isYielding());
  };
  const { shared } = options;
  const queue = shared?.queue ?? new ModelQueue({ folder, loadHeadMaker, limits, clock, onLoad, log });
  const tasks = options.makesImageTasks
    ? imageTasksAsModels(queue)
    : createImageTasks(folder, limits, clock, (photo) => queue.dropPhoto(photo));
  const traces = shared?.traces ?? new Traces(limits, clock);
  const voices = createVoiceWatch(
    (isSpeaking) => speak('here', isSpeaking),
    clock,
    (milliseconds, callback) => setTimeout(callback, milliseconds).unref(),
  );
  const parts: EngineParts = {
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
      inFlight: new FairShares(limits.audioBytesInFlight),
      loadFaceMaker,
    },
    recordings: {
      loadRecordingMaker,
      store: createRecordingStore(join(folder.incoming, 'recordings'), limits.keptRecordingBytes),
      folder: folder.incoming,
      limits,
      inFlight: {
        requests: new FairShares(limits.recordingRequests),
        bytes: new FairShares(limits.audioBytesInFlight),
      },
      log,
    },
    photos: {
      loadHeadMaker,
      folder: folder.incoming,
      limits,
      inFlight: new FairShares(limits.photoRequests),
    },
  };
  const sweeping = setInterval(() => {
    traces.expire();
    Promise.all([queue.sweep(), tasks.sweep()]).catch((error: unknown) =>
      log('warning', 'old results could not be cleared away', error),
    );
  }, sweepInterval);
  sweeping.unref();
  await tasks.sweep();

  return {
    parts,
    yieldTo: (isSpeaking) => speak('elsewhere', isSpeaking),
    async close() {
      clearInterval(sweeping);
      try {
        await queue.close();
        await Promise.all(makers.map((maker) => maker.close()));
      } finally {
        await folder.release();
      }
      // The next start empties it anyway.
      await rm(folder.incoming, { recursive: true, force: true }).catch(() => undefined);
    },
  };
}
