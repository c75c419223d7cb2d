import { InvalidArgumentError } from 'commander';

/** Parses an option's value. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`a whole number from ${min} to ${max}`);
    return value;
  };
