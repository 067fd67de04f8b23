import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readRecords } from './read-records.ts';

/** Reads a text in chunks of a size: `line: cell|cell`, or `line! fault`. */
async function read(text: string, chunkSize = 7): Promise<string[]> {
  const chunks = text.match(new RegExp(`[^]{1,${chunkSize}}`, 'g')) ?? [];
  const records = await Array.fromAsync(readRecords(toAsync(chunks)));
  return records
    .flat()
    .map(({ line, cells, fault }) => (fault ? `${line}! ${fault}` : `${line}: ${cells.join('|')}`));
}

async function* toAsync(texts: readonly string[]) {
  yield* texts;
}

describe('reading CSV', () => {
  const cases = [
    ['cells between commas', 'a,b\n1,2\n', ['1: a|b', '2: 1|2']],
    ['a last line without an end', 'a,b\n1,2', ['1: a|b', '2: 1|2']],
    ['lines that end with CR LF', 'a,b\r\n1,"2"\r\n3,4\r\n', ['1: a|b', '2: 1|2', '3: 3|4']],
    ['both kinds of ends in one file', 'a,b\n1,"2"\r\n3,4\n', ['1: a|b', '2: 1|2', '3: 3|4']],
    ['quotes around separators', 'a,b\n"1,1",2\n', ['1: a|b', '2: 1,1|2']],
    ['doubled quotes', 'a,b\n"say ""hi""",""\n', ['1: a|b', '2: say "hi"|']],
    ['a quote inside a plain cell', 'a,b\n5" disk,2\n', ['1: a|b', '2: 5" disk|2']],
    ['cells over several lines', 'a,b\n"1\n1",2\n3,4\n', ['1: a|b', '2: 1\n1|2', '4: 3|4']],
    ['nothing for empty lines', 'a,b\n\n \n1,2\n\r\n', ['1: a|b', '4: 1|2']],
    ['semicolons', 'a;b\n1,5;2\n', ['1: a|b', '2: 1,5|2']],
    ['tabs', 'a\tb\n1;5\t2\n', ['1: a|b', '2: 1;5|2']],
    ['the separator that Excel names', 'sep=;\na,b;c\n1;2\n', ['2: a,b|c', '3: 1|2']],
    ['a quoted header', '"a","b;c;d"\n1,2\n', ['1: a|b;c;d', '2: 1|2']],
  ] as const;
  for (const [rule, text, records] of cases) {
    it(`gives ${rule}`, async () => {
      for (const size of [1, 2, 7, 100]) assert.deepEqual(await read(text, size), records);
    });
  }

  it('loses only its own line by text after a closing quote', async () => {
    const text = 'a,b\n"1"x,2\n3,4\n';
    assert.deepEqual(await read(text), ['1: a|b', '2! has text after a closing quote', '3: 3|4']);
  });

  it('loses only its own line by a quote that never ends', async () => {
    const text = 'a,b\n"1,2\n3,4\n';
    assert.deepEqual(await read(text), ['1: a|b', '2! has a quote that never ends', '3: 3|4']);
  });

  it('looks for the end of a quote through a megabyte', async () => {
    const filler = `${'x'.repeat(99)}\n`.repeat(11_000);
    const found = await read(`a,b\n"1,2\n${filler}3,4\n`, 65_536);
    assert.deepEqual(found.slice(0, 2), ['1: a|b', '2! has a quote that never ends']);
    assert.equal(found.at(-1), '11003: 3|4');
  });

  it('loses only its own line by one of ten megabytes', async () => {
    const text = `a,b\n1,2\n${'x'.repeat(10_000_000)},2\n3,4\n`;
    const found = await read(text, 65_536);
    assert.deepEqual(found, ['1: a|b', '2: 1|2', '3! is longer than a megabyte', '4: 3|4']);
  });

  it('gives back all cells that are written with quotes, in chunks of any size', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ') });
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (rows, size) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = `a,b\n${rows.map((row) => row.map(quote).join(',')).join('\r\n')}`;
        const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const records = (await Array.fromAsync(readRecords(toAsync(chunks)))).flat();
        assert.deepEqual(
          records.slice(1).map(({ cells }) => cells),
          rows,
        );
      }),
    );
  });
});
