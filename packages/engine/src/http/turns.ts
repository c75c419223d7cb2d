const waiting: (() => void)[] = [];

/**
 * Waits until other requests ran. Of all long requests that wait, one goes on in each turn of the event loop. Otherwise a
 * short request would wait for a piece of each.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}
