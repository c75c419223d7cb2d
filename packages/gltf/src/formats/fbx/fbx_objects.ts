import { double, type FbxNode, type FbxProperty, int, long, named, node, text } from './fbx_binary.ts';

/**
 * The objects of an FBX file and their connections. Ids count up, so that the same head gives the same bytes.
 */
export class FbxObjects {
  readonly nodes: FbxNode[] = [];
  readonly connections: FbxNode[] = [];
  readonly counts = new Map<string, number>();
  #id = 1_000_000;

  /** Returns a new id, for an object added later. */
  id(): number {
    this.#id += 1;
    return this.#id;
  }

  /** @param kind - The class that its name ends on, and @param type the kind of that class. */
  add(
    element: string,
    { id = this.id(), name, kind, type }: { id?: number; name: string; kind: string; type: string },
    children: readonly FbxNode[],
  ): number {
    this.nodes.push(node(element, [long(id), named(name, kind), text(type)], children));
    this.counts.set(element, (this.counts.get(element) ?? 0) + 1);
    return id;
  }

  /**
   * Connects an object to another or to the scene (0), or to a property of it if one is named.
   */
  connect(child: number, parent: number, property?: string): void {
    const ends = [long(child), long(parent)];
    this.connections.push(
      node('C', property === undefined ? [text('OO'), ...ends] : [text('OP'), ...ends, text(property)]),
    );
  }
}

/** A property of an object: name, type, flags and values. */
export const property = (
  name: string,
  type: string,
  subtype: string,
  flags: string,
  ...values: FbxProperty[]
): FbxNode => node('P', [text(name), text(type), text(subtype), text(flags), ...values]);

export const integer = (name: string, value: number): FbxNode =>
  property(name, 'int', 'Integer', '', int(value));
export const number = (name: string, value: number): FbxNode =>
  property(name, 'double', 'Number', '', double(value));
export const enumeration = (name: string, value: number): FbxNode =>
  property(name, 'enum', '', '', int(value));
export const string = (name: string, value: string, subtype = ''): FbxNode =>
  property(name, 'KString', subtype, '', text(value));
export const color = (name: string, values: readonly number[]): FbxNode =>
  property(name, 'Color', '', 'A', ...values.map(double));
export const factor = (name: string, value: number): FbxNode =>
  property(name, 'Number', '', 'A', double(value));
export const time = (name: string, ticks: number): FbxNode =>
  property(name, 'KTime', 'Time', '', long(ticks));
export const properties = (...children: FbxNode[]): FbxNode => node('Properties70', [], children);

const ticksASecond = 46_186_158_000;

/** Seconds in FBX's own unit, of which every usual frame rate's frames are whole numbers. */
export const ticks = (seconds: number): number => Math.round(seconds * ticksASecond);
