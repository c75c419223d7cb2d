/**
 * Lighting at vertices instead of pixels, for machines whose processor draws.
 *
 * A head on screen has some three pixels per triangle, so the picture stays the same, but the physical
 * material of three.js runs for a tenth of the points. Its own code runs, moved into the vertex shader.
 */
import {
  LinearMipmapNearestFilter,
  type Material,
  Mesh,
  MeshStandardMaterial,
  NoColorSpace,
  type Object3D,
  SRGBColorSpace,
} from 'three';

/** Glossier surfaces have highlights that are smaller than their triangles. */
const minRoughness = 0.25;

const lightInputs = /* glsl */ `
#define STANDARD
varying vec3 vDiffuseLight;
varying vec3 vSpecularLight;
`;

const vertexPieces = /* glsl */ `
uniform float roughness;
#include <lights_pars_begin>
#include <lights_physical_pars_fragment>
// How the normal changes from pixel to pixel is not known here.
#define dFdx(x) vec3(0.0)
#define dFdy(x) vec3(0.0)
void main() {`;

const lightAtVertex = /* glsl */ `
{
	vec3 normal = normalize(transformedNormal);
	#ifdef DOUBLE_SIDED
	// The side that is seen: three turns the normal at the pixel.
	if (dot(normal, -mvPosition.xyz) < 0.0) normal = -normal;
	#endif
	vec3 nonPerturbedNormal = normal;
	// White, and no metal: the surface's own colour comes in at the pixel.
	vec4 diffuseColor = vec4(1.0);
	float roughnessFactor = roughness;
	float metalnessFactor = 0.0;
	ReflectedLight reflectedLight = ReflectedLight(vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
	vViewPosition = -mvPosition.xyz;
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_end>
	vDiffuseLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vSpecularLight = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
}
`;

const lightAtPixel = /* glsl */ `
	reflectedLight.directDiffuse = diffuseColor.rgb * vDiffuseLight;
	reflectedLight.directSpecular = vSpecularLight;
`;

/**
 * The map's colour made linear here and not by the sampler, which would do it for each of the four texels it
 * reads. Cubic fit to the sRGB curve, off by .002 at most (I. Taylor, "sRGB approximations for HLSL", 2012).
 */
const mapAtPixel = /* glsl */ `
#ifdef USE_MAP
	vec4 texel = texture2D( map, vMapUv );
	texel.rgb *= texel.rgb * (texel.rgb * 0.305306011 + 0.682171111) + 0.012522878;
	diffuseColor *= texel;
#endif
`;

/** Whether nothing that lights the surface is known at its pixels only. */
function canLightAtVertices(material: Material): material is MeshStandardMaterial {
  if (!(material instanceof MeshStandardMaterial) || material.type !== 'MeshStandardMaterial') return false;
  const { normalMap, bumpMap, roughnessMap, metalnessMap, metalness, roughness } = material;
  const hasMaps = [normalMap, bumpMap, roughnessMap, metalnessMap].some((map) => map !== null);
  // A file without normals is drawn flat, by each pixel's own: at its vertices it would be black.
  return !hasMaps && !material.flatShading && metalness === 0 && roughness >= minRoughness;
}

/**
 * Removes the pores of the studio's own skins: each pixel would cost a read and two derivatives, and software
 * rendering is too coarse to show them. Normal maps of other makers may contain shapes and stay.
 */
function leaveOutPores(material: Material): void {
  if (!(material instanceof MeshStandardMaterial) || material.normalMap?.name !== 'Skin_Normal') return;
  material.normalMap.dispose();
  material.normalMap = null;
}

/** Makes a head's materials cheap to draw for a processor. */
export function lightAtVertices(head: Object3D): void {
  head.traverse((node) => {
    if (!(node instanceof Mesh)) return;
    const materials: Material[] = [node.material].flat();
    for (const material of materials) {
      leaveOutPores(material);
      if (!canLightAtVertices(material)) continue;
      const decodesHere = material.map?.colorSpace === SRGBColorSpace;
      if (material.map) {
        // One mipmap a pixel instead of a blend of two: half the reads.
        material.map.minFilter = LinearMipmapNearestFilter;
        if (decodesHere) material.map.colorSpace = NoColorSpace;
      }
      material.onBeforeCompile = (shader) => {
        shader.vertexShader = (lightInputs + shader.vertexShader)
          .replace('void main() {', vertexPieces)
          .replace('#include <project_vertex>', `#include <project_vertex>\n${lightAtVertex}`);
        shader.fragmentShader = (lightInputs + shader.fragmentShader)
          .replace(/#include <(clearcoat_)?normal_fragment_\w+>/g, '')
          .replace(/#include <lights_(physical_fragment|fragment_maps|fragment_end)>/g, '')
          .replace('#include <lights_fragment_begin>', lightAtPixel);
        if (decodesHere)
          shader.fragmentShader = shader.fragmentShader.replace('#include <map_fragment>', mapAtPixel);
      };
      material.customProgramCacheKey = () => `light-at-vertices ${decodesHere}`;
    }
  });
}
