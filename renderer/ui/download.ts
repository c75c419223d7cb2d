/** Hands a text file that the studio made to the person, as a download. */
export function download({
  fileName,
  mediaType,
  text,
}: {
  fileName: string;
  mediaType: string;
  text: string;
}): void {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser reads the blob after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
