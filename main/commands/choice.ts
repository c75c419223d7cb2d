import { InvalidArgumentError } from 'commander';

/** A flag's value that must be one of a few words. */
export function choiceOf<Word extends string>(...words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new InvalidArgumentError(`one of ${words.join(', ')}`);
    return found;
  };
}
