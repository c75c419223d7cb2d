/**
 * Other ways to draw a head than in its own skin, to judge its shape
 * by: made here, so that nothing is fetched.
 */
import {
  CanvasTexture,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshMatcapMaterial,
  MeshNormalMaterial,
  MeshStandardMaterial,
  type Object3D,
  RepeatWrapping,
  type Side,
  SRGBColorSpace,
  type Texture,
} from 'three';
import type { Shading } from './appearance.ts';

type Brush = CanvasRenderingContext2D;

function painted(pixels: number, paint: (brush: Brush) => void): Texture {
  const canvas = document.createElement('canvas');
  canvas.width = pixels;
  canvas.height = pixels;
  paint(canvas.getContext('2d')!);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

/** A ball of wax under one lamp with a little light from below: shows each dent. */
function waxBall(brush: Brush): void {
  const size = brush.canvas.width;
  const light = (
    x: number,
    y: number,
    radius: number,
    stops: readonly (readonly [number, string])[],
  ): void => {
    const gradient = brush.createRadialGradient(x * size, y * size, 0, x * size, y * size, radius * size);
    for (const [at, colour] of stops) gradient.addColorStop(at, colour);
    brush.fillStyle = gradient;
    brush.fillRect(0, 0, size, size);
  };
  light(0.38, 0.3, 0.8, [
    [0, '#e2a58c'],
    [0.45, '#b06a53'],
    [0.85, '#4d2820'],
    [1, '#2b1612'],
  ]);
  light(0.5, 1, 0.35, [
    [0, '#9a7c9c88'],
    [1, '#9a7c9c00'],
  ]);
  light(0.34, 0.24, 0.16, [
    [0, '#fff4ecd0'],
    [1, '#fff4ec00'],
  ]);
}

/** Squares with their place in the texture: where they are stretched, so is the skin. */
function squares(brush: Brush): void {
  const size = brush.canvas.width;
  const many = 16;
  const side = size / many;
  brush.font = `${side * 0.36}px sans-serif`;
  brush.textAlign = 'center';
  brush.textBaseline = 'middle';
  for (let row = 0; row < many; row += 1)
    for (let column = 0; column < many; column += 1) {
      const dark = (row + column) % 2 === 0;
      brush.fillStyle = `hsl(${(column / many) * 300} ${20 + (row / many) * 50}% ${dark ? 34 : 74}%)`;
      brush.fillRect(column * side, row * side, side, side);
      brush.fillStyle = dark ? '#ffffff' : '#000000';
      brush.fillText(
        `${String.fromCharCode(65 + column)}${row + 1}`,
        (column + 0.5) * side,
        (row + 0.5) * side,
      );
    }
}

function materialOf(shading: Exclude<Shading, 'lit'>, side: Side): Material {
  if (shading === 'clay') return new MeshStandardMaterial({ color: '#b3a89d', roughness: 0.82, side });
  if (shading === 'matcap') return new MeshMatcapMaterial({ matcap: painted(256, waxBall), side });
  if (shading === 'normals') return new MeshNormalMaterial({ side });
  const map = painted(1024, squares);
  map.wrapS = RepeatWrapping;
  map.wrapT = RepeatWrapping;
  map.flipY = false; // as glTF has its textures
  return new MeshBasicMaterial({ map, side, toneMapped: false });
}

const meshesOf = (head: Object3D): Mesh[] => {
  const meshes: Mesh[] = [];
  head.traverse((node) => {
    if (node instanceof Mesh) meshes.push(node);
  });
  return meshes;
};

/**
 * Draws a head with the given shading. Transparent parts (lashes, the shine of the eyes) are hidden in all
 * but `lit`.
 *
 * @returns Restores the head's own skin.
 */
export function shade(head: Object3D, shading: Shading): () => void {
  if (shading === 'lit') return () => undefined;
  const made = new Map<Side, Material>();
  const before = meshesOf(head).map((mesh) => {
    const { material, visible } = mesh;
    const [first] = [material].flat();
    const side = first!.side;
    const instead = made.get(side) ?? materialOf(shading, side);
    made.set(side, instead);
    mesh.material = Array.isArray(material) ? material.map(() => instead) : instead;
    mesh.visible = visible && first!.transparent === false;
    return { mesh, material, visible };
  });
  return () => {
    for (const { mesh, material, visible } of before) Object.assign(mesh, { material, visible });
    for (const material of made.values()) {
      for (const value of Object.values(material)) if (value instanceof CanvasTexture) value.dispose();
      material.dispose();
    }
  };
}

/**
 * Lays the edges of a head's triangles over it, all in one colour: lines
 * in the colours of the skin are lost on it.
 *
 * @returns Its end.
 */
export function drawEdges(head: Object3D): () => void {
  const material = new MeshBasicMaterial({
    wireframe: true,
    color: '#7fd6c2',
    transparent: true,
    opacity: 0.55,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -1,
    depthWrite: false,
    toneMapped: false,
  });
  const edges = meshesOf(head).map((mesh) => {
    const lines = mesh.clone(false);
    lines.material = material;
    lines.renderOrder = 1;
    // The same list, not a copy: the lines move with the face.
    if (mesh.morphTargetInfluences) lines.morphTargetInfluences = mesh.morphTargetInfluences;
    mesh.parent?.add(lines);
    return lines;
  });
  return () => {
    for (const lines of edges) lines.removeFromParent();
    material.dispose();
  };
}
