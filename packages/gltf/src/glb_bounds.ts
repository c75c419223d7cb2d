import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { glbFault } from './glb_fault.ts';

/** @throws Failure `unsupported` if `glbFault` finds a defect */
export async function refuseUnboundedGlb(glb: Uint8Array): Promise<void> {
  const fault = await glbFault(glb);
  if (fault) throw glbFailure(fault.text);
}

/** @param fault - A sentence. */
export const glbFailure = (fault: Message): Failure =>
  new Failure('unsupported', fault, {
    hint: t('glb.export_anew'),
  });
