import { isDeepStrictEqual } from 'node:util';
import { t } from '@likeness/messages';
import { Failure, messageOf } from '@likeness/node-kit/failure.ts';
import type { HeadCorrections, PhotoFinding } from '#contract';
import type { FoundOutline, PortraitChecker } from '../ports.ts';
import { withinCrop, withinWhole } from './corrections.ts';
import type { ImportList } from './import_list.ts';
import type { PhotoCheck, PhotoRow } from './photo_row.ts';

export interface PhotoChecksOptions {
  importList: ImportList;
  checker: PortraitChecker;
  onChecked: (ids: readonly string[]) => void;
  onDefect: (error: unknown) => void;
}

/** Milliseconds until a list that couldn't be read is read again. */
const retryPause = 1000;

/**
 * Checks photos of the list in the background, oldest first, as many concurrently as the checker supports.
 */
export class PhotoChecks {
  readonly #options: PhotoChecksOptions;
  readonly #running = new Map<string, Promise<PhotoCheck>>();
  #outlining: Promise<void> | undefined;
  /** Photos that could not be checked because the checker was unavailable. */
  readonly #unanswered = new Set<string>();
  /** Outlines wait until the checker is available. */
  #isAlone = false;
  readonly #closing = new AbortController();

  constructor(options: PhotoChecksOptions) {
    this.#options = options;
  }

  /** Called when there are photos to check. */
  wake(): void {
    try {
      this.#begin();
    } catch (error) {
      // The list couldn't be read. Thrown from a promise, it would end the process.
      this.#options.onDefect(error);
      setTimeout(() => this.wake(), retryPause).unref();
    }
  }

  #begin(): void {
    const { importList, checker } = this.#options;
    if (this.#closing.signal.aborted || this.#running.size >= checker.parallel) return;
    for (const photo of importList.unchecked(checker.parallel * 2)) {
      if (this.#running.size >= checker.parallel) return;
      if (this.#running.has(photo.id)) continue;
      this.now(photo)
        .catch(this.#options.onDefect)
        .finally(() => this.wake());
    }
    // Checks come before outlines and one slot stays free, because an outline takes several times as long.
    if (this.#running.size > 0 || this.#outlining !== undefined || this.#isAlone) return;
    const [photo] = importList.unoutlined(1);
    if (!photo) return;
    this.#outlining = this.#checkOutline(photo).catch(this.#options.onDefect);
    void this.#outlining.finally(() => {
      this.#outlining = undefined;
      // Yields, so that thousands of photos do not block everything else.
      setImmediate(() => this.wake());
    });
  }

  /**
   * Returns the outline that a head with these corrections would have, in fractions of the whole photo.
   *
   * @throws Failure `unsupported` if no head can be made from the photo
   */
  async outline(photo: PhotoRow, corrections: HeadCorrections | null, again: boolean): Promise<FoundOutline> {
    const { path, crop, sex } = photo;
    const sent = corrections && withinCrop(corrections, crop);
    return withinWhole(
      await this.#options.checker.outline(
        { path, crop, sex, corrections: sent, again },
        this.#closing.signal,
      ),
      crop,
    );
  }

  async #checkOutline(photo: PhotoRow): Promise<void> {
    const { importList, onChecked } = this.#options;
    const outline = await this.outline(photo, photo.corrections, false).catch((error: unknown) => {
      if (!(error instanceof Failure)) this.#options.onDefect(error);
      this.#isAlone = isAbsence(error);
      return null;
    });
    if (this.#closing.signal.aborted || this.#isAlone) return;
    const now = importList.get(photo.id);
    // Photos that changed meanwhile are checked again.
    if (JSON.stringify([now?.crop, now?.corrections]) !== JSON.stringify([photo.crop, photo.corrections]))
      return;
    importList.setOutline(photo.id, outline);
    onChecked([photo.id]);
  }

  /** Checks one photo now and stores the findings. */
  async now(photo: PhotoRow): Promise<PhotoCheck['findings']> {
    const running = this.#running.get(photo.id) ?? this.#check(photo);
    return (await running).findings;
  }

  /** The checker is available again: checks the photos that failed before. */
  retry(): void {
    const { importList, onChecked } = this.#options;
    const ids = [...this.#unanswered].filter((id) => importList.get(id)?.findings.some(isFailedCheck));
    this.#unanswered.clear();
    this.#isAlone = false;
    if (this.#closing.signal.aborted) return;
    if (ids.length > 0) {
      importList.uncheck({ ids });
      onChecked(ids);
    }
    this.wake();
  }

  /** Whether a photo is being checked now, not only waiting for its check. */
  isLookingAt(id: string): boolean {
    const index = [...this.#running.keys()].indexOf(id);
    return index >= 0 && index < this.#options.checker.parallel;
  }

  /** Aborts running checks; they run again at the next start. */
  async close(): Promise<void> {
    this.#closing.abort(new Failure('cancelled', t('studio.closing')));
    await Promise.allSettled([...this.#running.values(), this.#outlining]);
  }

  #check(photo: PhotoRow): Promise<PhotoCheck> {
    const check = (async () => {
      let found: PhotoCheck;
      try {
        found = await this.#options.checker.check(photo.path, photo.crop, this.#closing.signal);
      } catch (error) {
        // The check only helps: its failure must not stop a good photo from being sent.
        if (!(error instanceof Failure)) this.#options.onDefect(error);
        else if (isAbsence(error)) this.#unanswered.add(photo.id);
        found = {
          width: photo.width,
          height: photo.height,
          findings: [
            {
              code: 'check_failed',
              severity: 'warning',
              message: t('photo.not_checked', {
                problem: messageOf(error),
              }),
              figure: null,
              limit: null,
              unit: '',
            },
          ],
          face: null,
          suggestedCrop: null,
        };
      }
      const { crop } = this.#options.importList.get(photo.id) ?? photo;
      // A photo whose crop changed meanwhile is checked again.
      if (!this.#closing.signal.aborted && isDeepStrictEqual(crop, photo.crop)) {
        this.#options.importList.setCheck(photo.id, found);
        this.#options.onChecked([photo.id, ...this.#options.importList.people.elect(photo.id)]);
      }
      return found;
    })();
    this.#running.set(photo.id, check);
    const over = (): boolean => this.#running.delete(photo.id);
    check.then(over, over);
    return check;
  }
}

/** The checker was unavailable, which says nothing about the photo. */
const isAbsence = (error: unknown): boolean => error instanceof Failure && error.code === 'unreachable';

const isFailedCheck = ({ code }: PhotoFinding): boolean => code === 'check_failed';
