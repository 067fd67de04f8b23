import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importsOf, isTest, readSourceFiles, type SourceFile } from './source-files.ts';

/** Which rooms a room may import, and why. */
const WALLS: Readonly<
  Record<string, { readonly may: readonly string[]; readonly because: string }>
> = {
  domain: { may: [], because: 'the science knows nothing of clocks, networks and stores' },
  contract: {
    may: ['domain'],
    because: 'what crosses the wire is checked by what the field knows',
  },
  enrich: { may: ['domain'], because: 'facts about a request need no store' },
  journal: {
    may: ['domain', 'contract', 'storage', 'warehouse'],
    because: 'it ships batches to the warehouse, whoever else has some',
  },
  storage: {
    may: ['domain'],
    because: 'durable files are opened, committed and queued in one way, whatever they hold',
  },
  ledger: {
    may: ['domain', 'storage', 'contract'],
    because: 'its outbox holds batches of event rows, its keys the contract’s scopes',
  },
  warehouse: {
    may: ['domain', 'contract'],
    because: 'a projection knows its rows, neither who fills nor who asks it',
  },
  ingest: {
    may: ['domain', 'contract', 'enrich', 'storage', 'journal', 'ledger', 'warehouse'],
    because: 'use cases join the stores, through interfaces of their own',
  },
  report: {
    may: ['domain', 'contract', 'ledger'],
    because: 'queries are sent to stores through interfaces that it declares',
  },
  notify: {
    may: ['accounts', 'contract', 'domain', 'enrich', 'report'],
    because: 'mails and alerts say what queries answer, to people on record and public addresses',
  },
  accounts: {
    may: ['domain', 'enrich', 'storage'],
    because: 'people are a store of their own, which knows sites by ids and public addresses',
  },
  http: {
    may: ['domain', 'contract', 'ingest', 'report', 'ledger', 'accounts', 'notify'],
    because: 'routes translate; they decide nothing',
  },
  cli: {
    may: [
      'accounts',
      'domain',
      'contract',
      'ingest',
      'report',
      'ledger',
      'processes',
      'warehouse',
      'enrich',
      'settings.ts',
      'storage',
      'journal',
    ],
    because: 'commands start processes and read stores',
  },
  app: {
    may: [
      'accounts',
      'domain',
      'enrich',
      'http',
      'ingest',
      'journal',
      'ledger',
      'notify',
      'report',
      'storage',
      'warehouse',
      'settings.ts',
    ],
    because: 'this is the one place where parts are wired',
  },
  processes: {
    may: ['domain', 'storage', 'warehouse', 'app', 'settings.ts'],
    because: 'processes are started, watched and ended here, and nothing else',
  },
  dashboard: {
    may: ['contract', 'domain'],
    because: 'it is a client of the documented API like any other',
  },
  tracker: {
    may: ['contract', 'domain'],
    because: 'the browser gets types and nothing to download',
  },
};

describe('the walls between rooms', () => {
  const files = readSourceFiles();

  it('have a row for every room', () => {
    const rooms = new Set(files.map((file) => file.room));
    rooms.delete('settings.ts');
    assert.deepEqual(
      [...rooms].filter((room) => WALLS[room] === undefined),
      [],
    );
  });

  for (const [room, { may, because }] of Object.entries(WALLS)) {
    it(`${room} imports ${may.join(', ') || 'no other room'}, because ${because}`, () => {
      const allowed = new Set([room, ...may]);
      const breaches = files
        .filter((file) => file.room === room && !isTest(file))
        .flatMap((file) =>
          importsOf(file)
            .filter((path) => path.startsWith('src/') && !allowed.has(path.split('/')[1] ?? ''))
            .map((path) => `${file.path} imports ${path}`),
        );
      assert.deepEqual(breaches, []);
    });
  }

  it('domain and tracker use no package and nothing of Node', () => {
    const breaches = files
      .filter((file) => ['domain', 'tracker'].includes(file.room) && !isTest(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((path) => !path.startsWith('src/'))
          .map((path) => `${file.path} imports ${path}`),
      );
    assert.deepEqual(breaches, []);
  });

  it('inside a room imports are relative, across rooms they begin with #', () => {
    const breaches = files.flatMap((file) =>
      [...file.text.matchAll(/from '((?:#|\.\.?\/)[^']+)'/g)]
        .map((match) => match[1] ?? '')
        .filter((specifier) => {
          const isOwnRoom = specifier.startsWith(`#${file.room}/`);
          const leavesRoom = !specifier.startsWith('#') && leaves(file.path, specifier);
          return isOwnRoom || leavesRoom;
        })
        .map((specifier) => `${file.path} imports ${specifier}`),
    );
    assert.deepEqual(breaches, []);
  });

  it('hold no cycle, of types neither', () => {
    assert.deepEqual(findCycles(files), []);
  });
});

/** One cycle for each import that closes one. */
function findCycles(files: readonly SourceFile[]): string[] {
  const importsByPath = new Map(
    files.filter((file) => !isTest(file)).map((file) => [file.path, ownImportsOf(file)]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    if (done.has(path)) return;
    for (const next of importsByPath.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of importsByPath.keys()) visit(path, []);
  return cycles;
}

function ownImportsOf(file: SourceFile): string[] {
  return importsOf(file).filter((path) => path.startsWith('src/'));
}

function leaves(path: string, specifier: string): boolean {
  const depth = path.split('/').length - 3;
  return (
    (specifier.match(/\.\.\//g)?.length ?? 0) > Math.max(depth, 0) && path.split('/').length > 2
  );
}
