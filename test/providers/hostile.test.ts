import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MINUTE_MS } from '#domain/time/durations.ts';
import type { JsonValue } from '#providers/json.ts';
import type { ConnectionSecrets, Delivery, ProviderEvent } from '#providers/provider.ts';
import {
  deliveriesOf,
  eventsOf,
  NOW,
  SAMPLE_ID,
  sign,
  TELLERS,
  type Teller,
  verify,
} from './tellers.ts';

for (const teller of TELLERS) {
  const { provider, secrets } = teller;
  const sample = () => sign(teller, provider.makeSample(SAMPLE_ID, NOW, secrets.settings));
  const refusalOf = (delivery: Delivery, other: Partial<ConnectionSecrets> = {}) =>
    verify({ ...teller, secrets: { ...secrets, ...other } }, delivery);

  describe(`the door for ${provider.title}`, () => {
    it('lets nothing in without the right secret', () => {
      assert.equal(refusalOf(sample()), undefined);
      assert.equal(refusalOf(sample(), { signingSecrets: ['another'] }), 'forged');
      assert.equal(refusalOf(sample(), { signingSecrets: [] }), 'forged');
      assert.equal(refusalOf(sample(), { signingSecrets: [''] }), 'forged');
    });

    it('takes any of several secrets', () => {
      const [secret = ''] = secrets.signingSecrets;
      assert.equal(refusalOf(sample(), { signingSecrets: ['newer', secret] }), undefined);
      assert.equal(refusalOf(sample(), { signingSecrets: [secret, 'older'] }), undefined);
    });

    it('lets nothing in that was signed by nobody, or in half', () => {
      const { headers, addressToken, ...others } = sample();
      assert.equal(refusalOf({ headers: {}, ...others }), 'unsigned');
      const halved = Object.entries(headers).map(([name, value = '']) => [
        name,
        value.slice(0, value.length / 2),
      ]);
      const half = addressToken?.slice(0, 3);
      assert.ok(
        refusalOf({ headers: Object.fromEntries(halved), addressToken: half, ...others }),
        'truncated',
      );
    });

    if (!provider.hasTokenInAddress && !teller.isBearer) {
      it('lets no other body in, nor another one of 1 MiB', () => {
        const { body, ...others } = sample();
        const changed = Buffer.from(body);
        changed[body.length - 2] = 0x20;
        assert.equal(refusalOf({ ...others, body: changed }), 'forged');
        assert.equal(refusalOf({ ...others, body: Buffer.alloc(1 << 20, '{') }), 'forged');
      });
    }

    const { ageMaxMs } = teller;
    if (ageMaxMs !== undefined) {
      it('lets nothing in that was signed too long ago, or in the future', () => {
        const body = provider.makeSample(SAMPLE_ID, NOW, secrets.settings);
        const signedAt = (at: number) => refusalOf(sign(teller, body, {}, at));
        assert.equal(signedAt(NOW - ageMaxMs + MINUTE_MS), undefined);
        assert.equal(signedAt(NOW - ageMaxMs - MINUTE_MS), 'stale');
        assert.equal(signedAt(NOW + 4 * MINUTE_MS), undefined);
        assert.equal(signedAt(NOW + 6 * MINUTE_MS), 'future');
      });
    }

    it('reads any body without an error', () => {
      const bodies = ['', '{', '[]', 'null', '"{}"', '{"a":', '\0', '['.repeat(1 << 20), '{}', '1'];
      for (const text of bodies) {
        for (const { headers } of [sample(), { headers: {} }]) {
          const delivery = { headers, body: Buffer.from(text), receivedAt: NOW };
          const event = provider.readEvent(delivery, secrets);
          if (event) assert.ok(provider.translate(event, secrets.settings).kind);
        }
      }
    });
  });

  describe(`translating ${provider.title}`, () => {
    const events = eventsOf(teller);
    const values = fc.constantFrom<JsonValue | undefined>(
      ...[undefined, null, '', 0, -1, 1.5, 1e21, '1e999999', true, [], {}, [null], [[]]],
      ...[{ id: {} }, '9'.repeat(400), '\ud800\0', '__proto__', 'EUR', '2026-13-45T99:99:99Z'],
    );
    const places = fc.integer({ min: 0, max: 10_000 });

    it('never throws, whatever is missing or of another type', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: events.length - 1 }),
          fc.array(fc.tuple(places, values), { minLength: 1, maxLength: 4 }),
          (index, changes) => {
            const event = events[index] as ProviderEvent;
            const body = structuredClone(event.body) as Tree;
            for (const [place, value] of changes) change(body, place, value);
            const kinds = ['facts', 'ignored', 'unknown', 'failed', 'fetch'];
            const changed = { ...event, body } as ProviderEvent;
            assert.ok(kinds.includes(provider.translate(changed, secrets.settings).kind));
          },
        ),
        { numRuns: 500 },
      );
    });

    const { backfill } = provider;
    if (backfill !== undefined) {
      it('never throws over pages of its lists either', () => {
        const pages = pagesOf(provider.name).filter(([list]) => backfill.lists.includes(list));
        fc.assert(
          fc.property(
            fc.integer({ min: 0, max: pages.length - 1 }),
            fc.array(fc.tuple(places, values), { minLength: 1, maxLength: 4 }),
            (index, changes) => {
              const [list, answer] = pages[index] as Page;
              const body = structuredClone(answer);
              for (const [place, value] of changes) change(body, place, value);
              const read = backfill.read({ list, since: 0, until: NOW }, body as JsonValue);
              assert.ok(Array.isArray(read.translations));
            },
          ),
          { numRuns: 200 },
        );
      });
    }

    it('fails on amounts beyond a thousand billion, and says so', () => {
      const event = sampleEvent(teller);
      const whys = new Set<string>();
      for (const place of leavesOf(event.body as Tree).keys()) {
        for (const value of ['999999999999999999', 1e21]) {
          const body = structuredClone(event.body) as Tree;
          change(body, place, value);
          const translated = provider.translate({ ...event, body } as ProviderEvent, {
            ...secrets.settings,
          });
          if (translated.kind === 'failed') whys.add(translated.why);
        }
      }
      assert.ok(
        [...whys].some((why) => why.includes('above 1000000000000 units')),
        [...whys].join('\n'),
      );
    });

    const { bigId } = teller;
    if (bigId !== undefined) {
      it('keeps ids beyond 2^53 exact', () => {
        const text = provider.makeSample(SAMPLE_ID, NOW, secrets.settings);
        const changed = text.replace(bigId, (_, before: string) => `${before}820982911946154508`);
        assert.notEqual(changed, text);
        const event = provider.readEvent(sign(teller, changed), secrets);
        assert.ok(event);
        const { facts = [] } = provider.translate(event, secrets.settings) as {
          facts?: readonly { id: string; aliases?: readonly string[] }[];
        };
        const [fact] = facts;
        assert.ok([fact?.id, ...(fact?.aliases ?? [])].includes('820982911946154508'));
      });
    }
  });
}

it('the samples arrive in one piece', () => {
  for (const teller of TELLERS) assert.ok(deliveriesOf(teller).length > 5, teller.provider.name);
});

type Tree = { [name: string]: Tree | JsonValue | undefined };
type Page = readonly [list: string, answer: Tree];
type Leaf = { readonly parent: Tree; readonly name: string };

function sampleEvent(teller: Teller): ProviderEvent {
  const { provider, secrets } = teller;
  const delivery = sign(teller, provider.makeSample(SAMPLE_ID, NOW, secrets.settings));
  const event = provider.readEvent(delivery, secrets);
  assert.ok(event);
  return event;
}

/** The sample pages of a provider's lists. */
function pagesOf(name: string): Page[] {
  const path = new URL(`../../src/providers/${name}/pages.json`, import.meta.url);
  const { pages } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly pages: Readonly<Record<string, readonly { readonly answer: Tree }[]>>;
  };
  return Object.entries(pages).flatMap(([list, own]) =>
    own.map(({ answer }): Page => [list, answer]),
  );
}

/** Every place in a body: of objects and lists too. */
function leavesOf(tree: Tree): Leaf[] {
  return Object.keys(tree).flatMap((name) => {
    const value = tree[name];
    const inner = typeof value === 'object' && value !== null ? leavesOf(value as Tree) : [];
    return [{ parent: tree, name }, ...inner];
  });
}

function change(body: Tree, place: number, value: JsonValue | undefined): void {
  const leaves = leavesOf(body);
  const leaf = leaves[place % Math.max(1, leaves.length)];
  if (leaf === undefined) return;
  if (value === undefined) delete leaf.parent[leaf.name];
  else leaf.parent[leaf.name] = structuredClone(value);
}
