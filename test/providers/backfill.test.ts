import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { JsonValue } from '#providers/json.ts';
import type { BackfillPage } from '#providers/provider.ts';
import { mergeFacts } from './merge-facts.ts';
import { NOW, TELLERS } from './tellers.ts';

const SINCE = Date.UTC(2026, 9, 31);

/** Pages of a list API: what is asked for, and what is answered. */
type Pages = {
  readonly [list: string]: readonly { readonly path: string; readonly answer: JsonValue }[];
};

for (const { provider, secrets } of TELLERS) {
  const { backfill } = provider;
  if (backfill === undefined) continue;
  const path = `../../src/providers/${provider.name}/pages.json`;
  const { pages, adds } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as {
    readonly pages: Pages;
    readonly adds: readonly string[];
  };

  describe(`the history of ${provider.title}`, () => {
    it('is walked page by page, to the end', () => {
      const translations = backfill.lists.flatMap((list) => {
        const expected = pages[list] ?? [];
        let cursor: string | undefined;
        const found = expected.flatMap(({ path, answer }, index) => {
          if (index > 0) assert.ok(cursor, `${list} ends before page ${index + 1}`);
          const page: BackfillPage = { list, since: SINCE, until: NOW, cursor };
          const asked = backfill.request(page, secrets);
          assert.equal(decodeURIComponent(asked.path), path);
          const read = backfill.read(page, answer);
          cursor = read.cursor;
          return read.translations;
        });
        assert.equal(cursor, undefined, `${list} does not end`);
        return found;
      });
      const facts = translations.flatMap((each) => {
        assert.ok(each.kind === 'facts' || each.kind === 'ignored', each.kind);
        return each.kind === 'facts' ? each.facts : [];
      });
      assert.deepEqual(mergeFacts(facts), adds);
    });

    it('is at an address of the provider', () => {
      assert.match(backfill.findBaseUrl(secrets) ?? '', /^https:\/\/[\w.-]+$/);
    });

    it('ends on answers that are none', () => {
      for (const list of backfill.lists) {
        const page: BackfillPage = { list, since: SINCE, until: NOW };
        for (const answer of [{}, [], null, { data: null }, { items: {} }, 'nonsense']) {
          const { translations } = backfill.read(page, answer);
          assert.deepEqual(
            translations.filter(({ kind }) => kind === 'facts'),
            [],
          );
        }
      }
    });
  });
}
