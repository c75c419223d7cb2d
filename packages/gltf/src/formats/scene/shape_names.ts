/** Returns unique names of the targets; a missing or duplicate name gets the target's number. */
export function shapeNames(targets: readonly { name: string }[]): string[] {
  const taken = new Set<string>();
  return targets.map(({ name }, index) => {
    const plain = name.replace(/\p{Cc}+/gu, ' ') || `target_${index}`;
    let own = plain;
    for (let number = 2; taken.has(own); number++) own = `${plain}_${number}`;
    taken.add(own);
    return own;
  });
}
