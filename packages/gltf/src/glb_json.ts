import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { glbVersion, jsonChunk } from '@likeness/proto/glb_header.ts';

/** The JSON chunk of a GLB (glTF 2.0, 4.4). @throws Failure `invalid_input` where it is no binary glTF 2.0 */
export function glbJson<Json>(glb: Uint8Array): Json {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const isGlb = glb.byteLength >= 20 && glbVersion(glb) === 2;
  if (isGlb && view.getUint32(16, true) === jsonChunk) {
    const text = Buffer.from(glb.subarray(20, 20 + view.getUint32(12, true))).toString('utf8');
    try {
      return JSON.parse(text) as Json;
    } catch {
      // As good as none.
    }
  }
  throw new Failure('invalid_input', t('glb.not_glb'), {
    hint: t('glb.choose_another'),
  });
}
