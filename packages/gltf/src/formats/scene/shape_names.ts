/** Every target's own name, and one that says its number where it has none or another's. */
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
