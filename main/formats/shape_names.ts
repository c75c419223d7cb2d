import type { Document } from '@gltf-transform/core';
import type { channelNames } from '#contract';
import { channelName } from '../library/channel_names.ts';

/** Gives a head's face shapes the names of a vocabulary; names that meet get a number. */
export function renameShapes(
  document: Document,
  { names }: { names: (typeof channelNames)[number] },
): {
  moving: number;
  still: string[];
} {
  let moving = 0;
  for (const mesh of document.getRoot().listMeshes()) {
    const first = mesh.listPrimitives()[0]?.listTargets() ?? [];
    moving = Math.max(moving, first.length);
    const taken = new Set<string>();
    const renamed = first.map((target) => {
      const wanted = channelName(target.getName(), names);
      let free = wanted;
      for (let number = 2; taken.has(free); number += 1) free = `${wanted}_${number}`;
      taken.add(free);
      return free;
    });
    for (const primitive of mesh.listPrimitives())
      for (const [position, target] of primitive.listTargets().entries())
        target.setName(renamed[position] ?? '');
    if ('targetNames' in mesh.getExtras()) mesh.setExtras({ ...mesh.getExtras(), targetNames: renamed });
  }
  return { moving, still: [] };
}
