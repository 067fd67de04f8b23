/**
 * How many random worlds a test makes: `few`, unless `npm test -- --worlds N` wants many.
 */
export function howMany(few: number): number {
  return Number(process.env.TEST_WORLDS ?? few);
}
