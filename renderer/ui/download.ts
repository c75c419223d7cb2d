/** Offers a text file that the studio made as a download. */
export const download = (file: { fileName: string; mediaType: string; text: string }): void =>
  downloadBlob(file.fileName, new Blob([file.text], { type: file.mediaType }));

/** The same for a file that the page made. */
export function downloadBlob(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  downloadFrom(url, fileName);
  // The browser reads the blob after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The same for what lies at an address of the studio. */
export function downloadFrom(address: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
}
