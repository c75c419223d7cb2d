import { type Document, type Node, Primitive } from '@gltf-transform/core';
import { arkitChannelOf, visemeOf } from '@likeness/gltf/formats/names/channel_names.ts';
import { gltfIo } from '@likeness/gltf/gltf_io.ts';
import { validateGlb } from '@likeness/gltf/gltf_validator.ts';
import { t } from '@likeness/messages';
import { Failure, messageOf } from '@likeness/node-kit/failure.ts';
import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import type { Readiness } from '#contract';

/** Maximum validator messages to show; a broken file has thousands. */
const maxMessages = 100;

const eyeBone =
  /(^|[^a-z])((left|right|l|r)[_.\- ]?eye(ball)?|eye(ball)?[_.\- ]?(left|right|l|r))([^a-z]|$)/i;

/**
 * Checks a head: channels, bones, size, and the Khronos validator's report.
 *
 * @throws Failure `storage` if the file can't be read as glTF.
 */
export async function readinessOf(glb: Uint8Array): Promise<Readiness> {
  let document: Document;
  try {
    document = await (await gltfIo()).readBinary(glb);
  } catch (cause) {
    throw new Failure('storage', t('library.model_unreadable', { cause: messageOf(cause) }), {
      hint: t('library.fetch_again'),
      cause,
    });
  }
  const root = document.getRoot();
  const morphTargets = namesOfTargets(document);
  const arkit = new Set(morphTargets.map(arkitChannelOf));
  const visemes = new Set(morphTargets.map(visemeOf));
  const primitives = root.listMeshes().flatMap((mesh) => mesh.listPrimitives());
  const { validatorVersion, issues } = await validateGlb(glb, maxMessages);
  return {
    arkit: {
      found: arkitBlendshapeNames.filter((name) => arkit.has(name)).length,
      missing: arkitBlendshapeNames.filter((name) => !arkit.has(name)),
    },
    visemes: {
      found: oculusVisemeNames.filter((name) => visemes.has(name)).length,
      missing: oculusVisemeNames.filter((name) => !visemes.has(name)),
    },
    tongue: arkit.has('tongueOut'),
    eyeBones: eyeBonesOf(root.listNodes()),
    morphTargets,
    triangles: primitives.reduce((sum, primitive) => sum + trianglesOf(primitive), 0),
    vertices: primitives.reduce(
      (sum, primitive) => sum + (primitive.getAttribute('POSITION')?.getCount() ?? 0),
      0,
    ),
    meshes: root.listMeshes().length,
    materials: root.listMaterials().length,
    textures: root.listTextures().map((texture) => {
      const [width = 0, height = 0] = texture.getSize() ?? [];
      return {
        name: texture.getName() || texture.getURI(),
        mediaType: texture.getMimeType(),
        width,
        height,
      };
    }),
    extensions: root.listExtensionsUsed().map(({ extensionName }) => extensionName),
    bytes: glb.byteLength,
    validator: {
      version: validatorVersion,
      errors: issues.numErrors,
      warnings: issues.numWarnings,
      infos: issues.numInfos,
      hints: issues.numHints,
      messages: issues.messages.map(({ code, severity, message, pointer }) => ({
        code,
        severity,
        message,
        pointer: pointer ?? '',
      })),
    },
  };
}

/** Names of all morph targets, each once, in order; a target without a name can't be driven. */
function namesOfTargets(document: Document): string[] {
  const names = new Set<string>();
  for (const mesh of document.getRoot().listMeshes()) {
    const listed = mesh.getExtras().targetNames;
    if (Array.isArray(listed)) for (const name of listed) names.add(String(name));
    for (const primitive of mesh.listPrimitives()) {
      for (const target of primitive.listTargets()) if (target.getName()) names.add(target.getName());
    }
  }
  return [...names];
}

function trianglesOf(primitive: Primitive): number {
  const corners = primitive.getIndices()?.getCount() ?? primitive.getAttribute('POSITION')?.getCount() ?? 0;
  const mode = primitive.getMode();
  if (mode === Primitive.Mode.TRIANGLES) return Math.floor(corners / 3);
  const joined = mode === Primitive.Mode.TRIANGLE_STRIP || mode === Primitive.Mode.TRIANGLE_FAN;
  return joined ? Math.max(0, corners - 2) : 0;
}

/** Names of the nodes that turn the eyes: bones, or the eyeballs themselves if there are none. */
function eyeBonesOf(nodes: readonly Node[]): string[] {
  const eyes = nodes.filter((node) => eyeBone.test(node.getName()));
  const bones = eyes.filter((node) => node.getMesh() === null);
  return (bones.length > 0 ? bones : eyes).map((node) => node.getName());
}
