import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaceMaker, FaceMesh } from '@likeness/engine/faces/face_maker.ts';
import { tooManyOwn, traceBusy, traceNotOpen, traceReused } from '@likeness/engine/faces/trace_refusals.ts';
import {
  beginTrace,
  checkLength,
  checkPart,
  type FaceTraceOptions,
  openFace,
  type Trace,
  type TraceKeeper,
  type TraceLimits,
  type VoiceName,
} from '@likeness/engine/faces/traces.ts';
import type { Log } from '@likeness/engine/log.ts';
import type { Owner } from '@likeness/engine/models/model_record.ts';
import type { AudioData, AudioFormat } from '@likeness/proto/wav.ts';
import type { Redis } from 'ioredis';
import { scopeOf } from '../queue/queue_records.ts';
import { keyPrefix } from '../queue/redis_scripts.ts';
import { refusingOutages } from '../queue/storage_refusal.ts';

/** The small part of a trace. Two byte fields hold the rest: the face's state, and the first part's audio. */
interface KeptTrace {
  format: AudioFormat;
  options: FaceTraceOptions;
  hasVertices: boolean;
  lastTime: number;
  seconds: number;
  /** Hash of the last part's audio, to recognise a repetition. */
  part: string;
}

/** A part that this node is answering. */
interface Turn {
  key: string;
  token: string;
  part: string;
  renewing: NodeJS.Timeout;
  /** The version under which it was written; null before. */
  version: string | null;
}

/** Milliseconds for which a silent node keeps a trace locked. */
const defaultTurnLease = 3000;
/** Seconds for which an identifier can't be used again. */
const usedFor = 24 * 3600;

/** If the lock is ours: extend or release it. */
const renewTurn = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`;
const endTurn = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;
/**
 * Keeps the previous state beside the current one, for parts whose answer was cut off; the lock's owner only.
 * Counts voices that have continued: what may have been a whole utterance expires uncounted.
 */
const writeHeard = `
  if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
  for _, field in ipairs({ 'small', 'face', 'first' }) do
    local value = redis.call('HGET', KEYS[1], field)
    if value then redis.call('HSET', KEYS[1], 'before:' .. field, value) else redis.call('HDEL', KEYS[1], 'before:' .. field) end
    redis.call('HDEL', KEYS[1], field)
  end
  redis.call('HSET', KEYS[1], 'small', ARGV[2], 'answered', '0', 'over', ARGV[5])
  if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], 'face', ARGV[3]) end
  if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'first', ARGV[4]) end
  redis.call('HSET', KEYS[1], 'version', ARGV[7])
  redis.call('PEXPIRE', KEYS[1], ARGV[6])
  redis.call('SET', KEYS[3], '1', 'EX', ARGV[8])
  local time = redis.call('TIME')
  if ARGV[5] == '1' then redis.call('ZREM', KEYS[4], KEYS[1])
  elseif ARGV[4] == '' then redis.call('ZADD', KEYS[4], time[1] * 1000 + ARGV[6], KEYS[1]) end
  redis.call('PEXPIRE', KEYS[4], ARGV[6])
  return 1
`;
/** The number of a tenant's voices that are open now. */
const countVoices = `
  local time = redis.call('TIME')
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', time[1] * 1000)
  return redis.call('ZCARD', KEYS[1])
`;

/**
 * Open traces in Redis: any node can take the next part of a voice. A voice's state has some 60 KB, so the
 * state travels instead of the requests being routed. Any load balancer works, and a node that dies loses no
 * voice.
 *
 * The state is written before an answer ends. A caller whose answer was cut off sends that part again. A part
 * with the same audio as the last, unconfirmed one is analysed from the state before it.
 */
export class SharedTraces implements TraceKeeper {
  readonly #redis: Redis;
  readonly #limits: TraceLimits;
  readonly #log: Log;
  readonly #turnLease: number;
  readonly #turns = new Map<Trace, Turn>();
  /**
   * The traces last answered here, by key: no need to read a trace from Redis that no other node has
   * continued.
   */
  readonly #here = new Map<string, { trace: Trace; version: string; usedAt: number }>();

  constructor(redis: Redis, limits: TraceLimits, log: Log, turnLease = defaultTurnLease) {
    this.#redis = redis;
    this.#limits = limits;
    this.#log = log;
    this.#turnLease = turnLease;
  }

  async start(
    voice: VoiceName,
    maker: FaceMaker,
    data: AudioData,
    options: FaceTraceOptions,
    mesh: FaceMesh | null,
  ): Promise<Trace> {
    checkLength({ seconds: 0, mesh }, data, this.#limits);
    const { id, owner } = voice;
    const turn = await refusingOutages(() => this.#takeTurn(id, data));
    try {
      await this.#checkRoom(owner);
      const kept = await refusingOutages(() =>
        this.#redis.hmget(turn.key, 'small', 'answered', 'before:small'),
      );
      const isRepeated = kept[1] === '0' && kept[2] === null && partOf(kept[0]) === turn.part;
      const isUsed = !isRepeated && (await refusingOutages(() => this.#redis.exists(`${turn.key}:used`)));
      if (isUsed) throw traceReused();
      if (isRepeated) await refusingOutages(() => this.#redis.del(turn.key));
      const trace = beginTrace(voice, maker, data, options, mesh);
      this.#turns.set(trace, turn);
      return trace;
    } catch (error) {
      await this.#giveTurn(turn);
      throw error;
    }
  }

  async next(voice: VoiceName, maker: FaceMaker, data: AudioData | null): Promise<Trace> {
    const turn = await refusingOutages(() => this.#takeTurn(voice.id, data));
    try {
      const trace = (await this.#fromHere(turn)) ?? (await this.#fromRedis(voice, maker, turn));
      checkPart(trace, data, this.#limits);
      trace.busy = true;
      this.#turns.set(trace, turn);
      return trace;
    } catch (error) {
      await this.#giveTurn(turn);
      throw error;
    }
  }

  async formatOf(id: string): Promise<AudioFormat> {
    const small = await refusingOutages(() => this.#redis.hget(keyOf(id), 'small'));
    if (!small) throw traceNotOpen();
    return (JSON.parse(small) as KeptTrace).format;
  }

  async heard(trace: Trace, isOver: boolean): Promise<void> {
    const turn = this.#turns.get(trace);
    if (!turn) return;
    const { format, options, mesh, lastTime, seconds, face, first } = trace;
    const small: KeptTrace = {
      format,
      options,
      hasVertices: mesh !== null,
      lastTime,
      seconds,
      part: turn.part,
    };
    const state = Buffer.from(face?.state?.() ?? []);
    const sound = isOver || !first ? Buffer.alloc(0) : Buffer.from(first.bytes);
    const version = randomUUID();
    const isMine = await refusingOutages(() =>
      this.#redis.eval(
        writeHeard,
        4,
        turn.key,
        `${turn.key}:turn`,
        `${turn.key}:used`,
        voicesOf(trace.owner),
        turn.token,
        JSON.stringify(small),
        isOver ? Buffer.alloc(0) : state,
        sound,
        Number(isOver),
        this.#limits.traceIdle,
        version,
        usedFor,
      ),
    );
    // This node was silent for so long that another took over the part.
    if (isMine === 0) throw traceBusy();
    turn.version = version;
  }

  async release(trace: Trace, isOver: boolean): Promise<void> {
    const turn = this.#turns.get(trace);
    this.#turns.delete(trace);
    if (!turn) return;
    try {
      const { key, version } = turn;
      trace.busy = false;
      this.#here.delete(key);
      // A part that was interrupted before its analysis may be sent again.
      if (version === null) return;
      if (!isOver) this.#keepHere(key, { trace, version, usedAt: performance.now() });
      await this.#redis.hset(key, 'answered', '1', 'over', Number(isOver));
      await this.#redis.hdel(key, 'before:small', 'before:face', 'before:first');
      await this.#redis.pexpire(key, this.#limits.traceIdle);
    } catch (error) {
      this.#log('warning', 'a voice’s state could not be marked as answered', error);
    } finally {
      await this.#giveTurn(turn);
    }
  }

  /** Redis expires idle traces by itself. */
  expire(): void {
    const before = performance.now() - this.#limits.traceIdle;
    for (const [key, { usedAt }] of this.#here) if (usedAt < before) this.#here.delete(key);
  }

  #keepHere(key: string, entry: { trace: Trace; version: string; usedAt: number }): void {
    this.#here.set(key, entry);
    if (this.#here.size > this.#limits.openTraces) this.#here.delete(this.#here.keys().next().value!);
  }

  /**
   * Redis has no fixed number of voices, so a tenant's bound is what one machine takes in all.
   *
   * @throws {Refusal} 503 `too_many_traces`
   */
  async #checkRoom(owner: Owner): Promise<void> {
    const own = (await refusingOutages(() => this.#redis.eval(countVoices, 1, voicesOf(owner)))) as number;
    if (own >= this.#limits.openTraces) throw tooManyOwn(own);
  }

  /** Returns the trace as this node left it, if it was answered and no other node has continued it. */
  async #fromHere({ key }: Turn): Promise<Trace | null> {
    const entry = this.#here.get(key);
    if (!entry) return null;
    this.#here.delete(key);
    const [version, answered] = await refusingOutages(() => this.#redis.hmget(key, 'version', 'answered'));
    return version === entry.version && answered === '1' ? entry.trace : null;
  }

  /** Returns the trace as stored in Redis. @throws {Refusal} 409 `trace_not_open` */
  async #fromRedis(voice: VoiceName, maker: FaceMaker, turn: Turn): Promise<Trace> {
    const fields = await refusingOutages(() => this.#redis.hgetallBuffer(turn.key));
    const isRepeated =
      fields.answered?.toString() === '0' &&
      fields['before:small'] !== undefined &&
      partOf(fields.small?.toString()) === turn.part;
    if (!isRepeated && fields.over?.toString() === '1') throw traceNotOpen();
    const before = isRepeated ? 'before:' : '';
    if (isRepeated) await refusingOutages(() => this.#goBack(turn.key));
    const small = fields[`${before}small`];
    if (!small) throw traceNotOpen();
    const { format, options, lastTime, seconds, hasVertices } = JSON.parse(small.toString()) as KeptTrace;
    const [state, first] = [fields[`${before}face`], fields[`${before}first`]];
    const face = state ? openFace(maker, format, options) : null;
    if (state) face?.resume?.(state);
    return {
      ...voice,
      options,
      mesh: hasVertices ? await maker.loadMesh() : null,
      format,
      face,
      first: first ? { format, bytes: first } : null,
      lastTime,
      seconds,
      busy: true,
    };
  }

  /**
   * Locks the trace for one part; waits as long as a dead node's lock lasts. @throws {Refusal} 409
   * `trace_busy`
   */
  async #takeTurn(id: string, data: AudioData | null): Promise<Turn> {
    const key = keyOf(id);
    const token = randomUUID();
    const part = createHash('sha256')
      .update(data?.bytes ?? '')
      .digest('hex');
    const turnLease = this.#turnLease;
    const deadline = performance.now() + turnLease + 1000;
    while ((await this.#redis.set(`${key}:turn`, token, 'PX', turnLease, 'NX')) === null) {
      if (performance.now() > deadline) throw traceBusy();
      await pause(100);
    }
    const renewing = setInterval(() => {
      this.#redis.eval(renewTurn, 1, `${key}:turn`, token, turnLease).catch(() => {});
    }, turnLease / 3);
    return { key, token, part, renewing, version: null };
  }

  async #giveTurn({ key, token, renewing }: Turn): Promise<void> {
    clearInterval(renewing);
    await this.#redis.eval(endTurn, 1, `${key}:turn`, token).catch(() => {});
  }

  /** Restores the state before the last part. */
  async #goBack(key: string): Promise<void> {
    await this.#redis.eval(
      `for _, field in ipairs({ 'small', 'face', 'first' }) do
         local value = redis.call('HGET', KEYS[1], 'before:' .. field)
         if value then redis.call('HSET', KEYS[1], field, value) else redis.call('HDEL', KEYS[1], field) end
       end
       return redis.call('HSET', KEYS[1], 'over', '0')`,
      1,
      key,
    );
  }
}

const voicesOf = (owner: Owner): string => `${keyPrefix}voices:${scopeOf(owner)}`;

const keyOf = (id: string): string =>
  `{likeness}:trace:${createHash('sha256').update(id).digest('hex').slice(0, 40)}`;

const partOf = (small: string | null | undefined): string | null =>
  small ? (JSON.parse(small) as KeptTrace).part : null;
