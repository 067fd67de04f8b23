/** A body that no honest client sends, and no server may accept. */
export type HardInput = { readonly name: string; readonly body: Buffer };

/** Just below and far above the limit of one request. */
const SIZES_BYTES = [60_000, 600_000];
const DEPTHS = [65, 1_000, 100_000];
/** As JSON writes them: what a double cannot hold, or money never has. */
const NUMBERS = [
  ...['1e400', '-1e400', '1e-400', '9007199254740993', '0.1e-7', '1.005', '-0', '-1'],
  ...['123456789012345678901234567890', '1E+2', '0.30000000000000004', '1e21', '99999999999999.99'],
];
/** Invalid UTF-8: alone, cut off, overlong, a surrogate, beyond the last character. */
const NO_UTF8 = ['80', 'ff', 'c3', 'e282', 'c0af', 'eda080', 'f4908080', 'f8888080'];

/** Deep, large, numeric and binary values as a goal's metadata, which must be text. */
export function listHardInputs(): HardInput[] {
  const goal = (name: string, value: string | Buffer): HardInput => ({
    name,
    body: Buffer.concat([
      Buffer.from('{"service_visitor_id":"a-person","name":"hard","metadata":{"a":'),
      Buffer.from(value),
      Buffer.from('}}'),
    ]),
  });
  const deep = DEPTHS.flatMap((depth) => [
    goal(`${depth} arrays`, '['.repeat(depth) + ']'.repeat(depth)),
    goal(`${depth} objects`, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
    goal(`${depth} arrays left open`, '['.repeat(depth)),
  ]);
  return [
    ...deep,
    ...SIZES_BYTES.flatMap((size) => [
      goal(`${size} brackets`, '['.repeat(size)),
      goal(`${size} bytes of text`, `"${'x'.repeat(size)}"`),
      goal(`${size} bytes of backslashes`, `"${'\\'.repeat(size / 2)}"`),
      goal(
        `${size / 10} keys`,
        `{${Array.from({ length: size / 10 }, (_, key) => `"${key}":1`).join()}}`,
      ),
    ]),
    ...NUMBERS.map((number) => goal(`the number ${number}`, number)),
    ...NO_UTF8.map((hex) =>
      goal(
        `bytes ${hex}`,
        Buffer.concat([Buffer.from('"'), Buffer.from(hex, 'hex'), Buffer.from('"')]),
      ),
    ),
  ];
}

/** Amounts that must be refused or kept to the minor unit, each with its value in the ledger. */
export const HARD_AMOUNTS: readonly (readonly [json: string, minor: number | undefined])[] = [
  ['1e400', undefined],
  ['-1e400', undefined],
  ['0.001', 0],
  ['1.005', 101],
  ['9007199254740993', undefined],
  ['-0.01', undefined],
  ['1e-2', 1],
  ['19.99', 1_999],
  ['0.1', 10],
  ['1E+2', 10_000],
  ['4.35', 435],
  ['1.10', 110],
  ['1.1000', 110],
];
