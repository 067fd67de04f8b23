import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCycles } from './find-cycles.ts';
import { importsOf, isTest, readSourceFiles } from './source-files.ts';

/** Which rooms a room may import, and why. */
const WALLS: Readonly<
  Record<string, { readonly may: readonly string[]; readonly because: string }>
> = {
  domain: { may: [], because: 'the science knows nothing of clocks, networks and stores' },
  contract: {
    may: ['domain'],
    because: 'what crosses the wire is checked by what the field knows',
  },
  jobs: { may: [], because: 'work is repeated in one way, whatever it is' },
  enrich: {
    may: ['domain', 'jobs', 'storage'],
    because: 'facts about a request need no store but the file of the day’s key',
  },
  journal: {
    may: ['domain', 'contract', 'jobs', 'storage', 'warehouse'],
    because: 'it ships batches to the warehouse, whoever else has some',
  },
  storage: {
    may: ['domain', 'jobs'],
    because: 'durable files are opened, committed and queued in one way, whatever they hold',
  },
  ledger: {
    may: ['domain', 'jobs', 'storage', 'contract'],
    because: 'its outbox holds batches of event rows',
  },
  warehouse: {
    may: ['domain', 'contract', 'jobs'],
    because: 'a projection knows its rows, neither who fills nor who asks it',
  },
  ingest: {
    may: ['domain', 'contract', 'enrich', 'jobs', 'storage', 'journal', 'warehouse'],
    because: 'use cases join the stores, through interfaces of their own',
  },
  providers: {
    may: ['domain', 'contract', 'jobs', 'storage', 'ledger'],
    because: 'what providers state becomes payments, in the ledger’s own transactions',
  },
  imports: {
    may: ['domain', 'contract', 'ingest', 'providers'],
    because:
      'the lines of a file are read as what a backend reports; who records them is not its matter',
  },
  report: {
    may: ['domain', 'contract', 'jobs'],
    because: 'queries are sent to stores through interfaces that it declares',
  },
  notify: {
    may: ['contract', 'domain', 'enrich', 'jobs', 'report'],
    because: 'mails and alerts say what queries answer, to people on record and public addresses',
  },
  accounts: {
    may: ['domain', 'enrich', 'storage'],
    because: 'people are a store of their own, which knows sites by ids and public addresses',
  },
  server: {
    may: ['domain', 'contract', 'jobs'],
    because: 'it guards requests and responses, whatever they are about',
  },
  api: {
    may: ['domain', 'contract', 'server', 'ingest', 'providers', 'report'],
    because: 'the data API translates: use cases accept, and reports answer; it knows no logins',
  },
  mcp: {
    may: ['domain', 'contract', 'server', 'api', 'report'],
    because: 'tools for assistants ask the use cases of the API, by its keys and its errors',
  },
  manage: {
    may: ['domain', 'contract', 'server', 'report', 'notify'],
    because: 'people manage sites and logins; what was recorded is the data API’s alone',
  },
  cli: {
    may: [
      'accounts',
      'manage',
      'mcp',
      'notify',
      'domain',
      'contract',
      'imports',
      'ingest',
      'providers',
      'jobs',
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
      'api',
      'domain',
      'enrich',
      'imports',
      'ingest',
      'jobs',
      'journal',
      'ledger',
      'manage',
      'mcp',
      'notify',
      'providers',
      'report',
      'server',
      'storage',
      'warehouse',
      'settings.ts',
    ],
    because: 'this is the one place where parts are wired',
  },
  processes: {
    may: ['domain', 'jobs', 'storage', 'warehouse', 'app', 'settings.ts'],
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

  it('the dashboard’s ui imports nothing of analytics nor of the API', () => {
    const breaches = files
      .filter((file) => file.path.startsWith('src/dashboard/ui/'))
      .flatMap((file) =>
        importsOf(file)
          .filter(
            (path) => !/^(src\/dashboard\/ui\/|react$|react-dom$|d3-shape$|@base-ui\/)/.test(path),
          )
          .filter((path) => !isTest(file) || !path.startsWith('node:'))
          .map((path) => `${file.path} imports ${path}`),
      );
    assert.deepEqual(breaches, []);
  });

  const STEPS: readonly (readonly [folder: string, never: RegExp, because: string])[] = [
    ['parse', /\/(plan|sql|shape|answer)\//, 'it knows the contract and the catalog'],
    ['plan', /\/(parse|sql|shape|answer)\//, 'it says what to read and not how'],
    [
      'sql',
      /\/(parse|shape|answer)\/|\/plan\/(?!plan\.ts)/,
      'it writes a plan and chooses nothing',
    ],
    ['shape', /\/(parse|answer)\/|\/plan\/(?!plan\.ts)/, 'it shows what a plan found'],
  ];
  for (const [folder, never, because] of STEPS) {
    it(`report/query/${folder} is a step of its own, because ${because}`, () => {
      const breaches = files
        .filter((file) => file.path.startsWith(`src/report/query/${folder}/`) && !isTest(file))
        .flatMap((file) =>
          importsOf(file)
            .filter((path) => path.startsWith('src/report/query/') && never.test(path))
            .map((path) => `${file.path} imports ${path}`),
        );
      assert.deepEqual(breaches, []);
    });
  }

  it('let only plan choose by what a site has', () => {
    const choosers = files.filter(
      ({ room, path, text }) =>
        room === 'report' &&
        !path.startsWith('src/report/query/plan/') &&
        /\bSiteFacts\b/.test(text) &&
        /\bfacts\.(payments|persons|visits)\b|\}: SiteFacts\b/.test(text),
    );
    assert.deepEqual(
      choosers.map(({ path }) => path),
      [],
    );
    const plan = files.find(({ path }) => path === 'src/report/query/plan/plan.ts');
    assert.doesNotMatch(plan?.text ?? '', /^export (?!type )/m, 'a plan is data');
  });

  it('schemas of what crosses the wire are made in the contract alone', () => {
    const makers = files
      .filter((file) => file.room !== 'contract' && !isTest(file))
      .filter(({ text }) => /^import Type\b.* from 'typebox'/m.test(text));
    assert.deepEqual(
      makers.map(({ path }) => path),
      [],
    );
  });

  it('the dashboard types no answer of the API itself', () => {
    const named = (list = '') => list.split(',').map((name) => name.trim().replace(/^type /, ''));
    const own = files
      .filter(({ room }) => room === 'dashboard')
      .flatMap(({ path, text }) => {
        const lists = [...text.matchAll(/import (?:type )?\{([^}]*)\} from '#contract\//g)];
        const known = new Set(lists.flatMap(([, list]) => named(list)));
        const asked = text.matchAll(/\b(?:request|use\w*OfSite)<([^>(]*)>\(\s*(\S*)/g);
        return (
          [...asked]
            // The hooks that pass a type on, and what better-auth answers.
            .filter(
              ([, type = '', url = '']) => !/^Answer\b/.test(type) && !url.includes('/api/auth/'),
            )
            .filter(([, type = '']) => !known.has(type))
            .map(([call]) => `${path}: ${call}`)
        );
      });
    assert.deepEqual(own, []);
  });

  it('hold no cycle, of types neither', () => {
    const own = files.filter((file) => !isTest(file));
    const cycles = findCycles(new Map(own.map((file) => [file.path, importsOf(file)])));
    assert.deepEqual(
      cycles.map((cycle) => cycle.join(' → ')),
      [],
    );
  });
});

function leaves(path: string, specifier: string): boolean {
  const depth = path.split('/').length - 3;
  return (
    (specifier.match(/\.\.\//g)?.length ?? 0) > Math.max(depth, 0) && path.split('/').length > 2
  );
}
