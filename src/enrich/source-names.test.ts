import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'tldts';
import { SOURCE_KINDS } from '#domain/acquisition/channels/channel-facts.ts';
import { readFactTable, splitCell } from './fact-table.ts';
import { loadSourceNames } from './source-names.ts';

const brands = readFactTable('source-names.csv', ['name', 'kind', 'hosts', 'tags']);
const { nameHost, nameTag } = loadSourceNames();

describe('the table of source names', () => {
  it('has each name, host and tag once', () => {
    const hosts = brands.flatMap((brand) => splitCell(brand.hosts));
    const tags = brands.flatMap((brand) => [brand.name.toLowerCase(), ...splitCell(brand.tags)]);
    for (const words of [hosts, tags]) assert.deepEqual(findTwice(words), []);
  });

  it('knows each kind of source', () => {
    const kinds = new Set<string>(SOURCE_KINDS);
    assert.deepEqual(
      brands.filter(({ kind }) => !kinds.has(kind)),
      [],
    );
  });

  it('has hosts in normalized form', () => {
    const wrong = brands
      .flatMap((brand) => splitCell(brand.hosts))
      .filter((host) => !/^android-app:\/\/[a-z0-9_.]+$|^([a-z0-9-]+\.)+([a-z]+|\*)$/.test(host))
      .concat(
        brands.flatMap((brand) => splitCell(brand.hosts)).filter((h) => h.startsWith('www.')),
      );
    assert.deepEqual(wrong, []);
  });

  it('is found by each of its hosts and tags', () => {
    for (const { name, hosts, tags } of brands) {
      for (const host of splitCell(hosts)) assert.equal(nameHost(host.replace('*', 'com')), name);
      for (const tag of [name, ...splitCell(tags)]) assert.equal(nameTag(tag), name);
    }
  });

  it('assigns no public suffix to a brand', () => {
    const hosts = brands.flatMap((brand) => splitCell(brand.hosts));
    const suffixes = hosts.filter((host) => !host.includes('*') && parse(host).domain === null);
    assert.deepEqual(
      suffixes.filter((host) => !host.startsWith('android-app:')),
      [],
    );
  });
});

describe('the table of click ids', () => {
  it('names sources as the table of names does', () => {
    for (const { source, kin } of readFactTable('click-ids.csv', [
      'parameter',
      'source',
      'medium',
      'kin',
    ])) {
      for (const name of [source, ...splitCell(kin, ';')]) assert.equal(nameTag(name), name);
    }
  });
});

function findTwice(words: readonly string[]): string[] {
  return words.filter((word, index) => words.indexOf(word) !== index);
}
