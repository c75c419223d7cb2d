import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Libraries } from '../../../main/library/libraries.ts';
import { verifyLibrary } from '../../../main/library/model/model_verification.ts';
import { envelope, json } from '../../fixtures/service/behaviours.ts';
import {
  type Behaviour,
  type ScriptedService,
  startScriptedService,
  type Turn,
} from '../../fixtures/service/scripted_service.ts';
import type { CrashEnd } from './crash_process.ts';
import { putPhotos } from './photos.ts';

/** What a batch that was killed again and again must come to. */
export interface CrashResult {
  kills: number;
  /** What is not as it must be; empty: all is well. */
  faults: string[];
}

/** A generator of numbers 0 ≤ value < 1 that are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const photoCount = 40;
const child = fileURLToPath(new URL('./crash_process.ts', import.meta.url));

/**
 * A batch of 40 photos whose process is killed (`SIGKILL`) at seeded points, each life a process of its own,
 * until it comes to its end: after a time, when a submit has come in and before or after its model is made,
 * when its answer is on its way, at a question, in the middle of a download.
 *
 * @param keys - The server announces idempotency keys. Without, what is in doubt is settled by what the
 *   server really received, as a person would.
 */
export async function crashBatch(seed: number, kills: number, keys: boolean): Promise<CrashResult> {
  const random = seeded(seed);
  const folder = await mkdtemp(join(tmpdir(), 'likeness-crash-'));
  const service = await startScriptedService({
    waitTime: 0,
    ...(keys ? { announce: ['idempotency-key'] } : {}),
  });
  const submits = new Submits(service);
  service.always('generate_model', submits.behaviour);
  service.always('other', (turn) =>
    json({ modelId: submits.modelOf(turn.request.path.split('/').at(-1) ?? '') })(turn),
  );
  const photos = join(folder, 'photos');
  try {
    await putPhotos(photos, photoCount);
    const settings = JSON.stringify({
      folder,
      photos,
      service: { url: service.url, accessToken: service.accessToken, apiKey: service.apiKey },
    });
    let killed = 0;
    for (let life = 0; ; life += 1) {
      const last = killed >= kills || life > kills * 3;
      const { ended, output } = await oneLife(settings, service, submits, last ? null : random);
      if (!ended) {
        killed += 1;
        continue;
      }
      const faults = await faultsOf(folder, submits, output, keys);
      return { kills: killed, faults };
    }
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the server was sent, and what it made of it. */
class Submits {
  readonly #service: ScriptedService;
  /** Orders by photo: how many models were made of it. */
  readonly made = new Map<string, string[]>();
  /** Called at the moments of a submit. */
  onSubmit: (moment: 'received' | 'made' | 'answered') => void = () => {};

  constructor(service: ScriptedService) {
    this.#service = service;
  }

  modelOf(fileName: string): string | null {
    return this.made.get(fileName)?.[0] ?? null;
  }

  readonly behaviour: Behaviour = async (turn: Turn) => {
    const { request, response } = turn;
    const { models } = this.#service;
    const header = request.headers['idempotency-key'];
    const key = typeof header === 'string' ? header : null;
    const fileName = request.file?.name ?? '';
    this.onSubmit('received');
    let model = key === null ? undefined : [...models.values()].find((one) => one.idempotencyKey === key);
    if (!model) {
      const id = `model-${models.size + 1}`;
      model = { id, sex: request.fields.sex ?? '', eyelidType: '', fileName, asked: 0, idempotencyKey: key };
      models.set(id, model);
      this.made.set(fileName, [...(this.made.get(fileName) ?? []), id]);
    }
    this.onSubmit('made');
    response.on('finish', () => this.onSubmit('answered'));
    await envelope({ modelId: model.id, waitTime: 0 })(turn);
  };
}

/** One process, to its end or to a seeded point at which it is killed. @param random - Null: it may live. */
async function oneLife(
  settings: string,
  service: ScriptedService,
  submits: Submits,
  random: (() => number) | null,
): Promise<{ ended: boolean; output: string }> {
  const life = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', child, settings], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  life.stderr.on('data', (data: Buffer) => {
    output += data.toString();
  });
  const exited = new Promise<NodeJS.Signals | null>((resolve) =>
    life.on('exit', (_code, signal) => resolve(signal)),
  );
  const disarm = random ? arm(life, service, submits, random) : () => {};
  life.stdout.on('data', (data: Buffer) => {
    output += data.toString();
  });
  const signal = await exited;
  disarm();
  return { ended: signal !== 'SIGKILL', output };
}

/** Prepares the end of a process at a point that the seed chooses. @returns What calls it off. */
function arm(
  life: ChildProcess,
  service: ScriptedService,
  submits: Submits,
  random: () => number,
): () => void {
  const kill = (): boolean => life.kill('SIGKILL');
  const countdown = (from: number): (() => void) => {
    let left = 1 + Math.floor(random() * from);
    return () => {
      left -= 1;
      if (left === 0) kill();
    };
  };
  const point = random();
  if (point < 0.4) {
    const delay = random() * 900;
    let timer: NodeJS.Timeout | undefined;
    // From when its code runs: starting Node says nothing about the queue.
    life.stdout?.once('data', () => {
      timer = setTimeout(kill, delay);
    });
    return () => clearTimeout(timer);
  }
  if (point < 0.75) {
    const moment = (['received', 'made', 'answered'] as const)[Math.floor(random() * 3)];
    const count = countdown(12);
    submits.onSubmit = (now) => {
      if (now === moment) count();
    };
    return () => {
      submits.onSubmit = () => {};
    };
  }
  const count = countdown(12);
  if (point < 0.85) {
    const asked = service.requests.length;
    const watch = setInterval(() => {
      const questions = service.requests
        .slice(asked)
        .filter(({ operation }) => operation === 'get_model').length;
      if (questions > 3 + random() * 20) kill();
    }, 1);
    return () => clearInterval(watch);
  }
  service.always('download', async ({ response }) => {
    const half = Math.floor(service.glb.byteLength / 2);
    response.writeHead(200, {
      'content-type': 'model/gltf-binary',
      'content-length': String(service.glb.byteLength),
    });
    response.write(service.glb.subarray(0, half));
    count();
    await new Promise((resolve) => setTimeout(resolve, 2));
    response.end(service.glb.subarray(half));
  });
  return () => undefined;
}

function endIn(line: string): CrashEnd | null {
  try {
    return JSON.parse(line) as CrashEnd;
  } catch {
    return null;
  }
}

async function faultsOf(folder: string, submits: Submits, output: string, keys: boolean): Promise<string[]> {
  const faults: string[] = [];
  const last = output.trim().split('\n').at(-1) ?? '';
  const end = endIn(last);
  if (end?.open !== 0 || end.done !== photoCount) faults.push(`it ended with: ${output.trim().slice(-3000)}`);
  if (!end?.intact) faults.push('the journal is not whole');
  // A call that a kill cut short is booked as if it had been billed: the account may say more than was made.
  if (!end || end.spent < photoCount || end.reserved !== 0)
    faults.push(`${end?.spent} are booked and ${end?.reserved} held for ${photoCount} orders`);
  if (submits.made.size !== photoCount) faults.push(`${submits.made.size} photos were ordered`);
  for (const [fileName, models] of submits.made) {
    if (models.length !== 1)
      faults.push(`${fileName} was ordered ${models.length} times${keys ? ' under different keys' : ''}`);
  }
  const dataFolder = join(folder, 'library');
  const libraries = await Libraries.open({ dataFolder, clock: Date.now, watch: false });
  await libraries.settled();
  const id = libraries.defaultId();
  const { models, problems } = await verifyLibrary(libraries, id);
  if (models !== photoCount) faults.push(`the library holds ${models} models`);
  for (const { folder: where, problem } of problems) faults.push(`${where}: ${problem}`);
  const names = libraries.search({}, 0, 500).models.map(({ name }) => name);
  if (new Set(names).size !== photoCount) faults.push('a photo has more than one model');
  const expected = photoCount + 1;
  const inLibrary = await readdir(libraries.folder(id));
  if (inLibrary.length !== expected)
    faults.push(`orphans in the library: ${inLibrary.filter((name) => name.startsWith('.')).join(', ')}`);
  await libraries.close();
  const left = (await readdir(folder, { recursive: true })).filter((name) =>
    /\.part(\.|$)|\.incoming-|\.note$/.test(name),
  );
  if (left.length > 0) faults.push(`unfinished files: ${left.join(', ')}`);
  return faults;
}
