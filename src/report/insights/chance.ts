/**
 * How likely it is that a count of `n` independent events is as far from its mean as `k`, or farther, if each of them
 * counts with this probability.
 *
 * - Shape: exact and two-sided: twice the smaller tail, at most 1.
 */
export function binomialChance(k: number, n: number, probability: number): number {
  const atLeast = k <= 0 ? 1 : incompleteBeta(probability, k, n - k + 1);
  const atMost = k >= n ? 1 : incompleteBeta(1 - probability, n - k, k + 1);
  return Math.min(1, 2 * Math.min(atLeast, atMost));
}

/** How likely Student's t is as far from 0, with these degrees of freedom. */
export function studentChance(t: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/**
 * The findings that remain when many were tried, where at most `share` of those that remain are chance.
 *
 * - Source: Benjamini & Hochberg, *Controlling the False Discovery Rate* (1995). Without any effect, it lets
 *   something through in at most `share` of all cases.
 */
export function keepDiscoveries<Found extends { readonly chance: number }>(
  tried: readonly Found[],
  share: number,
): readonly Found[] {
  const inOrder = tried.toSorted((a, b) => a.chance - b.chance);
  const last = inOrder.findLastIndex(
    ({ chance }, index) => chance <= (share * (index + 1)) / tried.length,
  );
  return inOrder.slice(0, last + 1);
}

/** Enough for a hundred million events: the fraction takes about as many steps as the root of their number. */
const STEPS_MAX = 20_000;
const PRECISE = 1e-12;

/**
 * The regularized incomplete beta function, from which the tails of both distributions follow.
 *
 * - Source: its continued fraction, by Lentz's method; *Numerical Recipes*, 6.4.
 */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  // The fraction converges fast on this side of the mean only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const scale = logGamma(a + b) - logGamma(a) - logGamma(b);
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  const take = (term: number) => {
    d = 1 / (1 + term * d);
    c = 1 + term / c;
    fraction *= c * d;
  };
  for (let m = 1; m <= STEPS_MAX; m++) {
    take((m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)));
    take((-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)));
    if (Math.abs(c * d - 1) < PRECISE) break;
  }
  return (Math.exp(scale + a * Math.log(x) + b * Math.log1p(-x)) * fraction) / a;
}

/** The logarithm of the gamma function, by Stirling's series. */
function logGamma(x: number): number {
  if (x < 10) return logGamma(x + 1) - Math.log(x);
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5);
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
}
