/** The head last viewed in the library, until Live has taken it over. Kept in browser storage. */
const key = 'likeness.head-looked-at';

export function rememberViewedHead(modelId: string): void {
  try {
    localStorage.setItem(key, modelId);
  } catch {
    // Storage is disabled: Live keeps its head.
  }
}

/** @returns its id once; null if none was viewed since */
export function takeLastViewedHead(): string | null {
  try {
    const id = localStorage.getItem(key);
    localStorage.removeItem(key);
    return id;
  } catch {
    return null;
  }
}
