/** A value with its relative weight. */
export type Weighted<T> = readonly [weight: number, value: T];

/** A seeded source of randomness. */
export type Chance = ReturnType<typeof createChance>;

/**
 * Creates a random generator from a seed and a number. Adjacent numbers give unrelated sequences.
 *
 * - Why not Math.random: it cannot be seeded.
 * - Source: sfc32 of PractRand (Chris Doty-Humphrey, public domain), seeded as its author recommends.
 */
export function createChance(seed: number, number: number) {
  const next = sfc32(seed, number);
  /** A number from 0 up to, but not including, 1. */
  const fraction = () => next() / 2 ** 32;
  /** A whole number from `from` to `to`, inclusive. */
  const whole = (from: number, to: number) => from + Math.floor(fraction() * (to - from + 1));
  /** Random hexadecimal digits. */
  const digits = (count: number) => {
    let text = '';
    while (text.length < count) text += next().toString(16).padStart(8, '0');
    return text.slice(0, count);
  };
  return {
    fraction,
    whole,
    digits,
    /** True with the given probability. */
    isTrue: (probability: number) => fraction() < probability,
    /** An exponentially distributed waiting time, in the unit of `mean`. */
    wait: (mean: number) => -Math.log(1 - fraction()) * mean,
    pick<T>(choices: readonly Weighted<T>[]): T {
      let rest = fraction() * choices.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of choices) {
        if (rest < weight) return value;
        rest -= weight;
      }
      throw new RangeError('there is nothing to choose from');
    },
    /** A UUID; version 7 starts with the instant `at`, in milliseconds. */
    uuid(version: 4 | 7, at = 0): string {
      const start = version === 7 ? at.toString(16).padStart(12, '0') : digits(12);
      const variant = '89ab'[whole(0, 3)];
      const tail = `${version}${digits(3)}-${variant}${digits(3)}-${digits(12)}`;
      return `${start.slice(0, 8)}-${start.slice(8)}-${tail}`;
    },
  };
}

/** Returns a generator of unsigned 32-bit integers. */
function sfc32(seed: number, number: number): () => number {
  let [a, b, c, counter] = [seed | 0, number | 0, Math.trunc(seed / 2 ** 32) | 0, 1];
  const next = () => {
    const out = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + out;
    return out >>> 0;
  };
  for (let warmUp = 0; warmUp < 15; warmUp++) next();
  return next;
}
