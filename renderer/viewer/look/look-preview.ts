/** Previews a look on the present mesh: the same changes that the engine makes. */
import {
  Color,
  DoubleSide,
  type Material,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  SkinnedMesh,
  type Texture,
} from 'three';
import { allOptions, canPreview, type Look } from './can-preview.ts';
import { shouldersOf } from './shoulders.ts';

/** Half the angle that an eye's texture covers, and the edge of an iris of usual size, radians. */
const eyeTextureAngle = 1.9;
const limbus = 0.505;
/** Side of the picture that a texture's brightness is measured on, pixels. */
const measuredSide = 128;

interface Tint {
  lookColour: { value: Color };
  lookMean: { value: number };
  lookContrast: { value: number };
  /** 0 or 1. */
  lookAmount: { value: number };
}

const weights = [0.2126, 0.7152, 0.0722] as const;
const linear = (byte: number): number => {
  const share = byte / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const irisShare = (u: number, v: number): number => {
  const angle = (Math.hypot(u - 0.5, v - 0.5) / 0.5) * eyeTextureAngle;
  return angle > 0.35 * limbus && angle < limbus ? 1 : 0;
};

/** Mean of a texture's brightness, linear. */
function meanOf(texture: Texture, share: (u: number, v: number) => number): number {
  const canvas = document.createElement('canvas');
  canvas.width = measuredSide;
  canvas.height = measuredSide;
  const brush = canvas.getContext('2d', { willReadFrequently: true })!;
  brush.drawImage(texture.image as CanvasImageSource, 0, 0, measuredSide, measuredSide);
  const { data } = brush.getImageData(0, 0, measuredSide, measuredSide);
  let [sum, count] = [0, 0];
  for (let i = 0; i < measuredSide ** 2; i++) {
    const part = share(
      ((i % measuredSide) + 0.5) / measuredSide,
      (Math.floor(i / measuredSide) + 0.5) / measuredSide,
    );
    if (part === 0 || data[4 * i + 3] === 0) continue;
    const light = weights.reduce((total, weight, c) => total + weight * linear(data[4 * i + c]!), 0);
    sum += Math.max(0.002, light);
    count += 1;
  }
  return count > 0 ? sum / count : 0.1;
}

const fragmentUniforms = `
uniform vec3 lookColour;
uniform float lookMean;
uniform float lookContrast;
uniform float lookAmount;
`;
const tinting = (share: string): string => `
if (lookAmount > 0.0) {
  float lookLight = max(0.002, dot(diffuseColor.rgb, vec3(${weights.join(', ')})));
  float lookFactor = pow(lookLight / lookMean, lookContrast);
  lookFactor = lookFactor > 1.0 ? 2.0 - exp(1.0 - lookFactor) : max(0.25, lookFactor);
  ${share}
  diffuseColor.rgb = mix(diffuseColor.rgb, min(vec3(1.0), lookColour * lookFactor), lookAmount * lookShare);
}
`;
const wholeShare = 'float lookShare = 1.0;';
const irisShader = `
  float lookAngle = length(vMapUv - 0.5) / 0.5 * ${eyeTextureAngle} / ${limbus};
  float lookShare = smoothstep(0.3, 0.4, lookAngle) * (1.0 - smoothstep(0.94, 1.04, lookAngle));
`;
const neckUniforms = `
uniform float lookNeck;
uniform float lookHeadBone;
`;
/** Vertices that bend with the neck move from or to its axis, as the engine widens it. */
const widening = `
if (lookNeck != 1.0) {
  vec4 isHead = vec4(equal(floor(skinIndex + 0.5), vec4(lookHeadBone)));
  transformed.xz *= 1.0 + (lookNeck - 1.0) * (1.0 - dot(isHead, skinWeight));
}
`;

const materialsOf = (mesh: Mesh): Material[] => [mesh.material].flat();
const isHair = (material: Material): boolean => material.name.startsWith('Hair');

/** Shows a look on a head's scene, or the head as it was made. */
export class LookPreview {
  readonly #scene: Object3D;
  readonly #hair: Mesh[] = [];
  readonly #cloth: Mesh[] = [];
  readonly #tints: { material: Material; tint: Tint; of: 'hairColour' | 'eyeColour' }[] = [];
  readonly #neck = { lookNeck: { value: 1 }, lookHeadBone: { value: -1 } };
  #skin: Mesh | undefined;
  #shoulders: Mesh | undefined;
  #draft: Look = { made: {}, wanted: {} };

  constructor(scene: Object3D) {
    this.#scene = scene;
    const patched = new Set<Material>();
    scene.traverse((node) => {
      if (!(node instanceof Mesh)) return;
      for (const material of materialsOf(node)) {
        if (isHair(material)) this.#hair.push(node);
        if (material.name === 'Cloth') this.#cloth.push(node);
        if (material.name === 'Skin') this.#findSkin(node);
        if (patched.has(material) || !(material instanceof MeshStandardMaterial)) continue;
        patched.add(material);
        this.#patch(material, node instanceof SkinnedMesh);
      }
    });
  }

  #findSkin(mesh: Mesh): void {
    this.#skin = mesh;
    if (mesh instanceof SkinnedMesh)
      this.#neck.lookHeadBone.value = mesh.skeleton.bones.findIndex(({ name }) => name === 'Head');
  }

  #patch(material: MeshStandardMaterial, isSkinned: boolean): void {
    const of = isHair(material) ? 'hairColour' : /^Eye(Left|Right)$/.test(material.name) ? 'eyeColour' : null;
    const { map } = material;
    const tint: Tint | null = of &&
      map && {
        lookColour: { value: new Color() },
        lookMean: { value: meanOf(map, of === 'eyeColour' ? irisShare : () => 1) },
        lookContrast: { value: 1 },
        lookAmount: { value: 0 },
      };
    if (tint && of) this.#tints.push({ material, tint, of });
    if (!tint && !isSkinned) return;
    material.onBeforeCompile = (shader) => {
      if (tint) {
        Object.assign(shader.uniforms, tint);
        shader.fragmentShader = shader.fragmentShader
          .replace('#include <common>', `#include <common>${fragmentUniforms}`)
          .replace(
            '#include <map_fragment>',
            `#include <map_fragment>${tinting(of === 'eyeColour' ? irisShader : wholeShare)}`,
          );
      }
      if (isSkinned) {
        Object.assign(shader.uniforms, this.#neck);
        shader.vertexShader = shader.vertexShader
          .replace('#include <common>', `#include <common>${neckUniforms}`)
          .replace('#include <skinning_vertex>', `#include <skinning_vertex>${widening}`);
      }
    };
    material.customProgramCacheKey = () => `look ${tint ? of : ''} ${isSkinned}`;
    material.needsUpdate = true;
  }

  set(draft: Look): void {
    this.#draft = draft;
    this.show(true);
  }

  /** @param wanted - False: as it was made. */
  show(wanted: boolean): void {
    const { made } = this.#draft;
    const shown = { made, wanted: wanted ? this.#draft.wanted : made };
    const [before, after] = [allOptions(made), allOptions(shown.wanted)];
    for (const mesh of this.#hair) mesh.visible = after.hair === before.hair || after.hair === 'seen';
    for (const { tint, of } of this.#tints) {
      const colour = after[of];
      const isOn = colour !== null && colour !== before[of] && canPreview(of, shown);
      tint.lookAmount.value = isOn ? 1 : 0;
      if (!isOn) continue;
      tint.lookColour.value.set(colour);
      const { r, g, b } = tint.lookColour.value;
      const lift = (weights[0] * r + weights[1] * g + weights[2] * b) / tint.lookMean.value;
      tint.lookContrast.value =
        of === 'eyeColour' ? 1 : Math.min(1.15, Math.max(0.6, Math.max(1e-4, lift) ** -0.2));
    }
    this.#neck.lookNeck.value = after.neck / before.neck;
    this.#scene.scale.setScalar(after.head / before.head);
    this.#showShirt(before.bust, after.bust);
  }

  #showShirt(before: string | null, after: string | null): void {
    for (const mesh of this.#cloth) {
      mesh.visible = after !== null || before === null;
      for (const material of materialsOf(mesh))
        if (after !== null && material instanceof MeshStandardMaterial) material.color.set(after);
    }
    const isNew = before === null && after !== null;
    if (isNew && !this.#shoulders && this.#skin) {
      this.#shoulders = new Mesh(
        shouldersOf(this.#skin, this.#scene),
        new MeshStandardMaterial({ name: 'Shirt', roughness: 1, side: DoubleSide }),
      );
      this.#scene.add(this.#shoulders);
    }
    if (!this.#shoulders) return;
    this.#shoulders.visible = isNew;
    const { material } = this.#shoulders;
    if (isNew && material instanceof MeshStandardMaterial) material.color.set(after);
  }
}
