import {
  faceLater,
  facesOf,
  mergedFace,
  type PlayableFace,
  readArrivals,
} from '@likeness/proto/take_stream.ts';
import { assetUrl } from '../../../base/asset-url.ts';

/** A try's face by seconds of the take. @param startsAt seconds of the take at which it begins */
export async function loadTriedFace(
  id: string,
  startsAt: number,
  signal: AbortSignal,
): Promise<PlayableFace> {
  const response = await fetch(assetUrl(id, 'take-overdub'), { signal });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const { arrivals } = readArrivals(new Uint8Array(await response.arrayBuffer()));
  return faceLater(mergedFace(facesOf(arrivals)), startsAt);
}
