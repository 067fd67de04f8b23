import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { DIMENSION_NAMES, findDimension, METRICS } from './catalog.ts';

function filesOf(folder: string): string[] {
  const files = readdirSync(new URL(folder, import.meta.url), {
    encoding: 'utf8',
    recursive: true,
  });
  return files.filter((file) => file.endsWith('.ts')).map((file) => file.replace(/\.ts$/, ''));
}

describe('the catalogue', () => {
  it('has each metric in a file of its name', () => {
    const names = [...METRICS.keys()].map((name) => name.replaceAll('_', '-'));
    const files = filesOf('./metrics/').map((file) => file.replace(/^.*\//, ''));
    assert.deepEqual(names.toSorted(), files.toSorted());
  });
  it('has each dimension in a file of its name', () => {
    const names = DIMENSION_NAMES.map((name) =>
      name
        .replace(/:NAME$/, '')
        .replace(':', '/')
        .replaceAll('_', '-'),
    );
    const files = filesOf('./dimensions/').map((file) => file.replace('time/time', 'time'));
    assert.deepEqual(names.toSorted(), files.toSorted());
  });
  it('finds members of a family, and no other', () => {
    assert.equal(findDimension('event:props:plan')?.name, 'event:props:plan');
    assert.equal(findDimension('event:props:'), undefined);
    assert.equal(findDimension('event:props:NAME'), undefined);
    assert.equal(findDimension('__proto__'), undefined);
  });
  it('is the list in docs/metrics.md: nothing missing there, nothing made up', () => {
    const docs = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
    const tables = docs.slice(docs.indexOf('## Metrics'), docs.indexOf('## Filters'));
    const listed = [...tables.matchAll(/^\| `([a-z_:A-Z]+)`/gm)].map((match) => match[1] ?? '');
    const names = [...METRICS.keys(), ...DIMENSION_NAMES];
    assert.deepEqual(listed.toSorted(), names.toSorted());
  });
});
