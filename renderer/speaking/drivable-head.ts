import { Box3 } from 'three';
import type { LoadedHead } from '../viewer/load-head.ts';
import { FaceDriver } from './face-driver.ts';
import type { Measures } from './framing.ts';
import { shadeMouth } from './mouth-shade.ts';
import { drawsInSoftware, simplifyForSoftware } from './software/software-drawing.ts';

export type DrivableHead = LoadedHead & { driver: FaceDriver; measures: Measures };

/** Makes a loaded head ready to be driven and framed; its meshes are the driver's from then on. */
export async function headToDrive(head: LoadedHead): Promise<DrivableHead> {
  shadeMouth(head.scene);
  if (drawsInSoftware) await simplifyForSoftware(head.scene);
  const { min, max } = new Box3().setFromObject(head.scene, true);
  const driver = new FaceDriver(head.scene);
  const measures: Measures = {
    height: head.size.y,
    middle: head.middle.y,
    top: max.y,
    bottom: min.y,
    eyes: driver.eyeLevel,
  };
  return { ...head, driver, measures };
}
