import { Mesh, MeshStandardMaterial, type Object3D } from 'three';

/**
 * Roughness and brightness of what lies behind the lips, by the name
 * of its material in the studio's own heads.
 */
const shaded: Record<string, { roughness: number; brightness: number }> = {
  Mouth: { roughness: 0.95, brightness: 0.8 },
  Teeth: { roughness: 0.55, brightness: 0.85 },
};

/**
 * The lamps cast no shadows: they would shine through cheeks and skull onto tongue and gums, whose wet gloss
 * then shows as white spots in an open mouth. This darkens the materials of heads made before the engine did
 * so itself (`portrait-9`).
 */
export function shadeMouth(head: Object3D): void {
  head.traverse((node) => {
    if (!(node instanceof Mesh) || !(node.material instanceof MeshStandardMaterial)) return;
    const { material } = node;
    const shade = shaded[material.name];
    // A material that several meshes share is as rough as that after the first of them.
    if (!shade || material.roughness >= shade.roughness) return;
    material.roughness = shade.roughness;
    material.color.multiplyScalar(shade.brightness);
  });
}
