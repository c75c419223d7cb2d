/**
 * The last of so many places that holds, where those that hold come first; −1 where none does.
 *
 * @param count of the places, from 0 on
 */
export function lastThat(count: number, predicate: (index: number) => boolean): number {
  let [low, high] = [-1, count - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (predicate(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
