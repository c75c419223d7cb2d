import { join } from 'node:path';
import { t } from '@likeness/messages';
import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { tryFileLock, withFileLock } from '@likeness/node-kit/storage/file_lock.ts';
import type { ErasureReceipt } from '#contract';
import { modelsToErase } from '../library/model/model_erasure.ts';
import { type ErasureIntent, ErasureIntentFile } from './erasure_intent.ts';
import { receiptOf } from './erasure_receipt.ts';
import { type ErasureOptions, eraseEverywhere } from './erasure_steps.ts';

/** Erases people: all data of a head, wherever it is stored. */
export interface Erasure {
  /** Counts the other data that would be removed. `trashedTakes` are removed in any case. */
  before(ids: readonly string[]): Promise<{ heads: number; takes: number; trashedTakes: number }>;
  /**
   * Erases heads permanently.
   *
   * @param withTakes - Also erases the takes of these heads, which contain a voice.
   * @throws Failure `storage` if no head could be removed, `conflict` if another process erases for too long
   */
  erase(ids: readonly string[], withTakes: boolean): Promise<ErasureReceipt>;
  /** Continues an erasure that an earlier run did not finish. */
  finish(): Promise<void>;
}

export function createErasure(options: ErasureOptions): Erasure {
  const { layout, libraries, takes } = options;
  const intentFile = new ErasureIntentFile(join(layout.folder, 'erasing.json'));
  const lockFile = join(layout.folder, 'erasing.lock');
  const inTurn = createMutex();

  async function takesOf(ids: readonly string[]): Promise<{ listed: string[]; trashed: string[] }> {
    const of = (await takes.ofModels(new Set(ids))).map(({ id }) => id);
    const isListed = new Set(takes.list().map(({ id }) => id));
    return { listed: of.filter((id) => isListed.has(id)), trashed: of.filter((id) => !isListed.has(id)) };
  }

  /** Adds these heads to the pending erasure, on disk first. */
  async function begin(ids: readonly string[], withTakes: boolean): Promise<ErasureIntent> {
    const begun = await intentFile.read();
    const { listed, trashed } = await takesOf(ids);
    const intent: ErasureIntent = {
      schema: 1,
      models: [...(begun?.models ?? []), ...modelsToErase(libraries, ids)],
      takes: [...(begun?.takes ?? []), ...trashed, ...(withTakes ? listed : [])],
    };
    await intentFile.write(intent);
    return intent;
  }

  async function carryOut(intent: ErasureIntent): Promise<ErasureReceipt> {
    const receipt = receiptOf(options, await eraseEverywhere(options, intent));
    if (receipt.isFinished) await intentFile.remove();
    return receipt;
  }

  async function finishBegun(): Promise<void> {
    if (!(await intentFile.isThere())) return;
    // Another process is erasing: nothing to continue here.
    const lock = tryFileLock(lockFile);
    if (!lock) return;
    try {
      const intent = await intentFile.read();
      if (intent) await carryOut(intent);
    } catch (error) {
      options.onDefect(error);
    } finally {
      lock.release();
    }
  }

  return {
    async before(ids) {
      const { listed, trashed } = await takesOf(ids);
      return {
        heads: modelsToErase(libraries, ids).length,
        takes: listed.length,
        trashedTakes: trashed.length,
      };
    },
    erase: (ids, withTakes) =>
      inTurn(() =>
        withFileLock(lockFile, async () => {
          const receipt = await carryOut(await begin(ids, withTakes));
          if (receipt.failed > 0 && receipt.erased === 0) throw nothingErased(receipt);
          return receipt;
        }),
      ),
    finish: () => inTurn(finishBegun),
  };
}

const nothingErased = ({ failed, problem }: ErasureReceipt): Failure =>
  new Failure('storage', t('erasure.failed', { failed, problem }), {
    hint: t('erasure.resolve'),
    retryable: true,
  });
