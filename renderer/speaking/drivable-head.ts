import { Box3 } from 'three';
import type { LoadedHead } from '../viewer/load-head.ts';
import { FaceDriver } from './face-driver.ts';
import { type Measures, measuresOf } from './framing.ts';
import { shadeMouth } from './mouth-shade.ts';
import { drawsInSoftware, simplifyForSoftware } from './software/software-drawing.ts';

export type DrivableHead = LoadedHead & { driver: FaceDriver; measures: Measures };

/** Makes a loaded head ready to be driven and framed; its meshes are the driver's from then on. */
export async function headToDrive(head: LoadedHead): Promise<DrivableHead> {
  shadeMouth(head.scene);
  if (drawsInSoftware) await simplifyForSoftware(head.scene);
  const box = new Box3().setFromObject(head.scene, true);
  const driver = new FaceDriver(head.scene, head.bones);
  return { ...head, driver, measures: measuresOf(head, box, driver.eyeLevel) };
}
