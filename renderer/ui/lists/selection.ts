import type { MouseEvent } from 'react';
import { notifyFailure } from '../../base/notices.tsx';
import { createStore } from '../../base/store.ts';
import type { KeyPress } from '../page-keys.ts';

/** The selection in a long list: single items, or everything that the list's query finds. */
export interface Chosen {
  all: boolean;
  ids: ReadonlySet<string>;
  /** Where the keyboard is; -1: nowhere yet. */
  cursor: number;
}

/** The part of a `LongList` that selecting needs. */
interface Choosable {
  at(index: number): { id: string } | undefined;
  idsBetween(one: number, other: number): Promise<string[]>;
  /** Tells of items that have left the list for good. */
  onRemoved?(listener: (ids: readonly string[]) => void): void;
}

const nobody: ReadonlySet<string> = new Set();

/**
 * Selection as in file managers, by mouse and keyboard. Lives outside React, so it outlasts a visit.
 */
export class Selection {
  readonly #list: Choosable;
  readonly #chosen = createStore<Chosen>({ all: false, ids: nobody, cursor: -1 });
  /** The other end of a range. */
  #anchor = -1;

  constructor(list: Choosable) {
    this.#list = list;
    // What is not there can't be chosen, nor counted, nor acted on.
    list.onRemoved?.((gone) => {
      const ids = new Set(this.chosen.ids);
      for (const id of gone) ids.delete(id);
      if (ids.size < this.chosen.ids.size) this.#set({ ids });
    });
  }

  get chosen(): Chosen {
    return this.#chosen.get();
  }
  readonly use = (): Chosen => this.#chosen.use();
  #set(changes: Partial<Chosen>): void {
    this.#chosen.set({ ...this.chosen, ...changes });
  }

  only(index: number): void {
    const id = this.#list.at(index)?.id;
    this.#anchor = index;
    this.#set({ all: false, ids: id ? new Set([id]) : nobody, cursor: index });
  }

  /** This one, wherever in the list it is. */
  just(id: string): void {
    this.#anchor = -1;
    this.#set({ all: false, ids: new Set([id]), cursor: -1 });
  }

  toggle(index: number, total: number): void {
    const id = this.#list.at(index)?.id;
    if (!id) return;
    this.#anchor = index;
    const flip = (ids: Set<string>): void => {
      if (!ids.delete(id)) ids.add(id);
      this.#set({ all: false, ids, cursor: index });
    };
    // “All but one” can only be expressed by listing the others.
    if (this.chosen.all) this.#list.idsBetween(0, total - 1).then((ids) => flip(new Set(ids)), notifyFailure);
    else flip(new Set(this.chosen.ids));
  }

  extendTo(index: number): void {
    if (this.#anchor < 0) this.#anchor = index;
    this.#set({ cursor: index });
    this.#list
      .idsBetween(this.#anchor, index)
      .then((ids) => this.#set({ all: false, ids: new Set(ids) }), notifyFailure);
  }

  everything(): void {
    this.#set({ all: true, ids: nobody });
  }

  clear(): void {
    this.#anchor = -1;
    this.#set({ all: false, ids: nobody });
  }

  /** The list is another one now. */
  restart(): void {
    this.#anchor = -1;
    this.#set({ all: false, ids: nobody, cursor: -1 });
  }

  moveTo(index: number): void {
    this.#set({ cursor: index });
  }

  click(event: MouseEvent, index: number, total: number): void {
    if (event.shiftKey) this.extendTo(index);
    else if (event.ctrlKey || event.metaKey) this.toggle(index, total);
    else this.only(index);
  }

  /**
   * Arrows, Home, End, Page keys, Space, Ctrl+A, Escape.
   *
   * @param columns - Items in a row.
   * @param page - Items that fit on the screen.
   * @returns The index that must be seen now; undefined where the key was not for the selection.
   */
  key(event: KeyPress, size: { total: number; columns: number; page: number }): number | undefined {
    const { total, columns, page } = size;
    const { cursor, all, ids } = this.chosen;
    const command = event.ctrlKey || event.metaKey;
    if (total === 0 || event.altKey) return undefined;
    if (command && event.key.toLowerCase() === 'a') {
      event.preventDefault();
      this.everything();
      return cursor;
    }
    if (event.key === 'Escape' && (all || ids.size > 0)) {
      event.preventDefault();
      this.clear();
      return cursor;
    }
    if (event.key === ' ' && cursor >= 0) {
      event.preventDefault();
      if (event.shiftKey) this.extendTo(cursor);
      else this.toggle(cursor, total);
      return cursor;
    }
    const from = Math.max(0, cursor);
    const steps: readonly (readonly [string, number])[] = [
      ['ArrowRight', columns > 1 ? cursor + 1 : from],
      ['ArrowLeft', columns > 1 ? from - 1 : from],
      ['ArrowDown', cursor < 0 ? 0 : cursor + columns],
      ['ArrowUp', from - columns],
      ['PageDown', from + page],
      ['PageUp', from - page],
      ['Home', 0],
      ['End', total - 1],
    ];
    const step = steps.find(([name]) => name === event.key);
    if (!step) return undefined;
    event.preventDefault();
    const next = Math.min(total - 1, Math.max(0, step[1]));
    if (event.shiftKey) this.extendTo(next);
    else if (command) this.moveTo(next);
    else this.only(next);
    return next;
  }
}

export const useSelection = (selection: Selection): Chosen => selection.use();

export const isChosen = ({ all, ids }: Chosen, id: string): boolean => all || ids.has(id);
export const howMany = ({ all, ids }: Chosen, total: number): number => (all ? total : ids.size);
