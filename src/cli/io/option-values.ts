import { type Command, InvalidArgumentError } from 'commander';
import { parseDay } from '#domain/time/parse-period.ts';

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

/** Reads an option's day. */
export const readDay = orUsage(parseDay, 'Must be a day such as 2026-11-01.');

/** Ends the command with a usage error if the last day is before the first. */
export function assertOrder(command: Command, from?: Temporal.PlainDate, to?: Temporal.PlainDate) {
  const isBack = from && to && Temporal.PlainDate.compare(from, to) > 0;
  if (isBack) command.error('error: the last day is before the first');
}
