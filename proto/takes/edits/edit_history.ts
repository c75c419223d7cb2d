/**
 * A take's edits as they came about: entries of an append-only list, folded into what holds now. Each operation leads
 * to a state of its own; undo, redo and opening a version go from one to another and forget none.
 */
import { t } from '@likeness/messages';
import { applyOperation, EditError, noEdits } from './apply_operation.ts';
import type { EditOperation, TakeEdits } from './take_edits.ts';

/** A user's edit, as one entry of the list. */
export type EditStep =
  | { do: 'apply'; operations: readonly EditOperation[] }
  | { do: 'undo' }
  | { do: 'redo' }
  | { do: 'name'; name: string }
  /** Goes to the state that stood after the entry of that number. */
  | { do: 'open'; revision: number };

/** One state of the edits. */
interface EditNode {
  readonly edits: TakeEdits;
  readonly before: EditNode | null;
  /** Where redo leads. */
  next: EditNode | null;
}

export interface NamedVersion {
  readonly name: string;
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The list so far, in memory. States share what they have in common. */
export class EditHistory {
  /** States by revision: `#states[0]` is the recording itself. */
  readonly #states: EditNode[] = [{ edits: noEdits, before: null, next: null }];
  readonly #versions: NamedVersion[] = [];

  get #now(): EditNode {
    return this.#states.at(-1)!;
  }

  /** How many entries there are. */
  get revision(): number {
    return this.#states.length - 1;
  }

  get edits(): TakeEdits {
    return this.#now.edits;
  }

  get canUndo(): boolean {
    return this.#now.before !== null;
  }

  get canRedo(): boolean {
    return this.#now.next !== null;
  }

  get versions(): readonly NamedVersion[] {
    return this.#versions;
  }

  /**
   * Adds an entry. If one of its operations is invalid, none applies.
   *
   * @param at milliseconds since 1970
   * @throws EditError for an invalid operation; then nothing has changed
   */
  add(step: EditStep, at: number): void {
    this.#states.push(this.#after(step, at));
  }

  /**
   * Whether a step changes anything: operations that change nothing leave nothing to undo.
   *
   * @throws EditError for an invalid step
   */
  check(step: EditStep): boolean {
    if (step.do !== 'apply') {
      this.#target(step);
      return true;
    }
    return JSON.stringify(step.operations.reduce(applyOperation, this.edits)) !== JSON.stringify(this.edits);
  }

  #after(step: EditStep, at: number): EditNode {
    const now = this.#now;
    if (step.do === 'name') {
      this.#versions.push({ name: step.name, revision: this.revision, at });
      return now;
    }
    if (step.do !== 'apply') {
      const target = this.#target(step);
      if (step.do === 'open') leadTo(now, target);
      return target;
    }
    const edits = step.operations.reduce(applyOperation, now.edits);
    const made: EditNode = { edits, before: now, next: null };
    now.next = made;
    return made;
  }

  #target(step: Exclude<EditStep, { do: 'apply' }>): EditNode {
    const now = this.#now;
    switch (step.do) {
      case 'name':
        return now;
      case 'undo':
        if (!now.before) throw new EditError(t('edits.nothing_to_undo'));
        return now.before;
      case 'redo':
        if (!now.next) throw new EditError(t('edits.nothing_to_redo'));
        return now.next;
      case 'open': {
        const state = this.#states[step.revision];
        if (!state) throw new EditError(t('edits.no_version', { version: step.revision }));
        return state;
      }
    }
  }
}

/** Makes redo lead from the earlier state back to this one. */
function leadTo(now: EditNode, earlier: EditNode): void {
  const path: EditNode[] = [];
  for (let node: EditNode | null = now; node && node !== earlier; node = node.before) path.push(node);
  if (path.at(-1)?.before !== earlier) return;
  for (const node of path) node.before!.next = node;
}
