import { assetUrl } from '../../base/asset-url.ts';
import { downloadFrom } from '../../ui/download.ts';

/** Files that the studio made, saved by the browser, or where the app asks. */
export async function saveExports(files: readonly { exportId: string; fileName: string }[]): Promise<void> {
  for (const { exportId, fileName } of files) {
    downloadFrom(assetUrl(exportId, 'take-export'), fileName);
    // Browsers drop all but the last of downloads that begin at once.
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
