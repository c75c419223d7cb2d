/** Values that the browser keeps on this machine. They last as long as the page where its storage is off or full. */

/** @param read makes the value of the kept text; where it throws, or nothing is kept, the value is `otherwise` */
export function keptValue<T>(key: string, otherwise: T, read: (text: string) => T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : read(text);
  } catch {
    return otherwise;
  }
}

export function keepValue(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Storage is off or full.
  }
}
