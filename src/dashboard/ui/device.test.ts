import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readCsv } from './device.ts';

it('a CSV file is read as spreadsheets save it, in UTF-8 or UTF-16', async () => {
  const text = 'date,source\n2026-11-20,bücher';
  assert.equal(await readCsv(new Blob([`\uFEFF${text}`])), text);
  assert.equal(await readCsv(new Blob([Buffer.from(`\uFEFF${text}`, 'utf16le')])), text);
});
