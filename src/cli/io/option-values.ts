import { InvalidArgumentError } from 'commander';

/** Reads an option's value with `parse`. Throws the command's usage error if it returns undefined. */
export function orUsage<T>(parse: (text: string) => T | undefined, usage: string) {
  return (text: string): T => {
    const value = parse(text);
    if (value === undefined) throw new InvalidArgumentError(usage);
    return value;
  };
}

/** Reads an option's whole number in a range, both ends included. Throws the command's usage error otherwise. */
export function toWhole(from: number, to: number) {
  const parse = (text: string) => {
    const number = Number(text);
    return /^\d+$/.test(text) && number >= from && number <= to ? number : undefined;
  };
  return orUsage(parse, `Must be a whole number from ${from} to ${to}.`);
}
