import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '@likeness/messages';
import type { Clock } from '@likeness/node-kit/clock.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { UploadFile } from '@likeness/node-kit/upload_file.ts';
import { chosenOptions, type HeadOptions } from '@likeness/proto/heads/head_options.ts';
import { builtInProfileId, type CallInput } from '#contract';
import type { ModelStore } from '../base/model_store.ts';
import { headRequest } from './jobs/head_request.ts';
import { partToSend } from './jobs/sent_photo.ts';
import type { ModelService, PortraitChecker, Profiles } from './ports.ts';

/** Milliseconds between two questions whether the head is made. */
const pollEvery = 60;

export interface HeadPreviewOptions {
  /** Created if it is missing. */
  folder: string;
  modelStore: Pick<ModelStore, 'portraitOf'>;
  profiles: Pick<Profiles, 'service'>;
  checker: Pick<PortraitChecker, 'crop'>;
  clock: Pick<Clock, 'wait'>;
}

interface HeadPreview {
  id: string;
  path: string;
  remoteModelId: string;
}

/**
 * Heads that show how a look would come out. The built-in engine makes them; they never enter the library, and the
 * next one replaces the last.
 */
export class HeadPreviews {
  readonly #options: HeadPreviewOptions;
  #current: HeadPreview | undefined;
  #stop = new AbortController();
  #preparing = new AbortController();
  #isBatchBusy = false;

  constructor(options: HeadPreviewOptions) {
    this.#options = options;
  }

  /**
   * Makes a head of the library as `makeAgain` would.
   *
   * @returns The id of its file.
   * @throws Failure `cancelled` if another preview was begun meanwhile, `not_found` if the photo no longer exists,
   * `invalid_input` if its sex is unknown, otherwise as the engine
   */
  async make(order: CallInput<'batch', 'previewHead'>): Promise<string> {
    this.#stop.abort(cancelled());
    this.#preparing.abort(cancelled());
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const made = await this.#make(order, signal);
    if (signal.aborted) {
      await this.#remove(made);
      throw signal.reason;
    }
    const last = this.#current;
    this.#current = made;
    if (last) await this.#remove(last);
    return made.id;
  }

  /**
   * Makes a preview of a head as it is and throws it away: the engine has then read the photo for the next one.
   * Fails silently, because that one reports why. Null only cancels the last such call.
   */
  async prepare(modelId: string | null): Promise<void> {
    this.#preparing.abort(cancelled());
    if (modelId === null || this.#isBatchBusy) return;
    this.#preparing = new AbortController();
    const { signal } = this.#preparing;
    await this.#order({ modelId }, signal)
      .then(({ remoteModelId }) => this.#forget(remoteModelId))
      .catch(() => undefined);
  }

  /** While the batch makes heads, no photo is read ahead: heads must not wait for it. */
  yieldTo(isBatchBusy: boolean): void {
    this.#isBatchBusy = isBatchBusy;
    if (isBatchBusy) this.#preparing.abort(cancelled());
  }

  /** Absolute path of the preview's GLB; null if another one replaced it. */
  file(id: string): string | null {
    return this.#current?.id === id ? this.#current.path : null;
  }

  /** Cancels the preview that is being made, and removes the last one. */
  async clear(): Promise<void> {
    this.#stop.abort(cancelled());
    this.#preparing.abort(cancelled());
    const last = this.#current;
    this.#current = undefined;
    if (last) await this.#remove(last);
  }

  async #make(order: CallInput<'batch', 'previewHead'>, signal: AbortSignal): Promise<HeadPreview> {
    const { folder } = this.#options;
    const { service, remoteModelId, link } = await this.#order(order, signal);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const id = randomUUID();
      const path = join(folder, `${id}.glb`);
      await service.download(link, path, { signal });
      return { id, path, remoteModelId };
    } catch (error) {
      await this.#forget(remoteModelId);
      throw signal.aborted ? signal.reason : error;
    }
  }

  /** Orders the head, and waits until the engine has made it. @param order - Without options: those it has. */
  async #order(
    {
      modelId,
      options,
    }: Pick<CallInput<'batch', 'previewHead'>, 'modelId'> & { options?: HeadOptions | null },
    signal: AbortSignal,
  ): Promise<{ service: ModelService; remoteModelId: string; link: string }> {
    const { modelStore, profiles, checker, clock } = this.#options;
    const { name, photo, fileName, others, parameters, overridden } = await modelStore.portraitOf(modelId);
    const { sex, crop } = parameters;
    if (sex === null)
      throw new Failure('invalid_input', t('batch.sex_not_said', { count: 1, example: name }));
    const sent = async (path: string, sentName: string, part: typeof crop): Promise<UploadFile> => {
      const bytes = await readFile(path).catch((error: unknown) => {
        throw storageFailure(error, path);
      });
      return partToSend({ bytes, fileName: sentName, crop: part }, checker, signal);
    };
    const file = await sent(photo.path, fileName, crop);
    const otherFiles: UploadFile[] = [];
    for (const other of others) otherFiles.push(await sent(other.path, other.fileName, other.crop));
    const service = await profiles.service(builtInProfileId);
    const ordered = await service.generateModel(
      headRequest({
        ...parameters,
        sex,
        options: options === undefined ? parameters.options : options && chosenOptions(options),
        profileId: builtInProfileId,
        file,
        others: otherFiles,
        anyway: overridden.length > 0,
        preview: true,
      }),
      { signal },
    );
    try {
      const link = await readyLink(service, ordered.modelId, clock, signal);
      return { service, remoteModelId: ordered.modelId, link };
    } catch (error) {
      await this.#forget(ordered.modelId);
      throw signal.aborted ? signal.reason : error;
    }
  }

  async #remove({ path, remoteModelId }: HeadPreview): Promise<void> {
    await this.#forget(remoteModelId);
    await rm(path, { force: true });
  }

  /** Cancels or deletes it in the engine, which deletes by itself what this leaves after a failure. */
  async #forget(remoteModelId: string): Promise<void> {
    await this.#options.profiles
      .service(builtInProfileId)
      .then((service) => service.deleteModel(remoteModelId))
      .catch(() => undefined);
  }
}

const cancelled = (): Failure => new Failure('cancelled', t('batch.preview_cancelled'));

/** @throws Failure `upstream_refused` with the engine's reason if it can't make the head */
async function readyLink(
  service: Pick<ModelService, 'getModel'>,
  modelId: string,
  clock: Pick<Clock, 'wait'>,
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    const { state, downloadLink, failMessage } = await service.getModel(modelId, { signal });
    if (state === 'ready') return downloadLink;
    if (state === 'failed') throw new Failure('upstream_refused', failMessage);
    await clock.wait(pollEvery, signal);
  }
}
