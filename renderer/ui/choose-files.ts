/** Files that the person chooses in the browser's dialog; none: it was cancelled. */
export const chooseFiles = (accept: string, multiple = true): Promise<File[]> =>
  new Promise((resolve) => {
    const input = Object.assign(document.createElement('input'), { type: 'file', accept, multiple });
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
