import { InvalidArgumentError } from 'commander';

/** Reads an option's whole number in a range, both ends included. Throws the command's usage error otherwise. */
export function toWhole(from: number, to: number) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= from && number <= to) return number;
    throw new InvalidArgumentError(`Must be a whole number from ${from} to ${to}.`);
  };
}
