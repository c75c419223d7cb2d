/** The head that was looked at last in the library, until Live has taken it over. Kept by the browser. */
const key = 'likeness.head-looked-at';

export function lookedAt(modelId: string): void {
  try {
    localStorage.setItem(key, modelId);
  } catch {
    // Storage is switched off: Live shows the head it had.
  }
}

/** @returns its id once; null where none was looked at since */
export function takeLookedAt(): string | null {
  try {
    const id = localStorage.getItem(key);
    localStorage.removeItem(key);
    return id;
  } catch {
    return null;
  }
}
