import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFile as read } from './read-file.ts';

describe('our own columns', () => {
  const HEADER = 'transaction_id;amount;currency;timestamp;refunded';
  const LINE = ['payment p1 123450 EUR 2026-01-01T23:00:00.000Z'];

  it('may stand in any order, in any case, with a mark of the encoding before them', async () => {
    const text =
      '\uFEFFCurrency, AMOUNT ,timestamp,Transaction_ID\r\neur,1234.50,2026-01-02,p1\r\n';
    assert.deepEqual((await read(text)).reports, LINE);
  });

  it('are read with semicolons, decimal commas and as UTF-16', async () => {
    const text = `${HEADER}\n"p1";1.234,50;EUR;2026-01-02;\n`;
    assert.deepEqual((await read(text)).reports, LINE);
    for (const encoded of [Buffer.from(`\uFEFF${text}`, 'utf16le'), Buffer.from(text, 'utf16le')]) {
      assert.deepEqual((await read(encoded)).reports, LINE);
    }
    const bigEndian = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
    assert.deepEqual((await read(bigEndian)).reports, LINE);
  });

  it('take seconds and milliseconds since 1970', async () => {
    const text = `${HEADER}\np1;5;EUR;1767308400;\np2;5;EUR;1767308400000;\n`;
    const at = '2026-01-01T23:00:00.000Z';
    assert.deepEqual((await read(text)).reports, [
      `payment p1 500 EUR ${at}`,
      `payment p2 500 EUR ${at}`,
    ]);
  });

  it('have every fault of a line listed, with its column', async () => {
    const text = `${HEADER}\n;-5;EUR;2026-01-02;\np2;x;EURO;1999-01-01;perhaps\np3;5;EUR;;\n`;
    assert.deepEqual((await read(text)).faults, [
      '2 transaction_id is required',
      '2 amount must be at least 0',
      '3 refunded must be true or false',
      '3 amount must be a number, such as 1234.50',
      '3 currency must have at most 3 characters',
      '3 timestamp must be from 2000 on and at most 24 hours ahead',
      '4 timestamp must not be empty',
    ]);
  });

  it('lose only lines with bytes of another encoding, NULs, or another number of cells', async () => {
    const bytes = Buffer.from(
      `${HEADER}\np\xe41;5;EUR;2026-01-02;\np\0;5;EUR;2026-01-02;\n`,
      'latin1',
    );
    const more = Buffer.from('p3;5;EUR\np4;5;EUR;2026-01-02;;;\np5;5;EUR;2026-01-02;;x\n');
    const found = await read(Buffer.concat([bytes, more]));
    assert.deepEqual(found.faults, [
      '2 transaction_id has bytes that are not UTF-8: save the table as “CSV UTF-8”',
      '3 transaction_id has bytes that are not UTF-8: save the table as “CSV UTF-8”',
      '4  has 3 cells, and the header has 5',
      '6  has 6 cells, and the header has 5',
    ]);
    assert.deepEqual(found.reports, ['payment p4 500 EUR 2026-01-01T23:00:00.000Z']);
  });

  it('are no names with what a terminal would obey', async () => {
    const header = 'transaction_id,amount,currency,timestamp,\u001b[2Jcolour';
    await assert.rejects(read(`${header}\n`), { message: /^The file is no text: save the table/ });
  });
});
