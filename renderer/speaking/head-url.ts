import { assetUrl } from '../base/asset-url.ts';
import { useSettings } from '../base/studio-queries.ts';

/** Where a head's file is. @param modelId empty: the head of the studio's own that the person chose */
export function useHeadUrl(modelId: string): string {
  const { defaultHead } = useSettings();
  return modelId ? assetUrl(modelId, 'model') : assetUrl(defaultHead, 'default-head');
}
