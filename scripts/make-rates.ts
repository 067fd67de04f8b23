import { readFileSync, writeFileSync } from 'node:fs';
import { constants, zstdCompressSync } from 'node:zlib';
import type { ExchangeRates } from '#domain/money/rates/exchange-rates.ts';
import { writeRates } from '#domain/money/rates/write-rates.ts';
import { toRates } from '#enrich/rates/read-rates.ts';

/**
 * Makes `data/ecb-rates.csv.zst` from the ECB's table: `node scripts/make-rates.ts eurofxref-hist.zip`.
 *
 * Why from the end of 1999: payments start in 2000.
 */
const FIRST_DAY = Date.parse('1999-12-20T00:00:00Z') / 86_400_000;
const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: node scripts/make-rates.ts FILE');

const text = `# Reference rates to the euro. Source: European Central Bank, eurofxref-hist.
# Licence: free reuse with the source named. From the last days of 1999 on.
${writeRates(since(FIRST_DAY, toRates(readFileSync(path), path)))}`;
const bytes = zstdCompressSync(Buffer.from(text), {
  params: { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_windowLog]: 23 },
});
writeFileSync(new URL('../data/ecb-rates.csv.zst', import.meta.url), bytes);
process.stdout.write(`${bytes.length} bytes\n`);

function since(first: number, { days, perEuroByCode }: ExchangeRates): ExchangeRates {
  const recent = [...perEuroByCode].map(
    ([code, own]) => [code, new Map([...own].filter(([day]) => day >= first))] as const,
  );
  return {
    days: days.filter((day) => day >= first),
    perEuroByCode: new Map(recent.filter(([, own]) => own.size > 0)),
  };
}
