import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MAIN } from '../../server/program.ts';
import { readOptions } from '../../torture/read-options.ts';

const NO_VALUE = 'takes a value, and none that begins with a dash';

/** Programs of this repository, and what they must say of options that are none. */
const SPAWNED = [
  ['torture', '--kills -5', `--kills ${NO_VALUE}`],
  ['bench', '--what', "Unknown option '--what'"],
  ['bench', 'nothing', 'there is no bench nothing'],
  ['bench', '--rounds 1.5', '--rounds takes a whole number from 1 on, not 1.5'],
  ['bench', '--kinds refunds', '--kinds takes some of pageviews, goals, payments, not refunds'],
  ['bench', 'soak --seconds', `--seconds ${NO_VALUE}`],
] as const;

const MAINS = { torture: '../../torture/main.ts', bench: '../../../bench/main.ts' } as const;

describe('wrong usage', () => {
  for (const [program, args, fault] of SPAWNED) {
    it(`of npm run ${program} -- ${args} is told in one line`, () => {
      const main = fileURLToPath(new URL(MAINS[program], import.meta.url));
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args.split(' ')], {
        encoding: 'utf8',
        timeout: 30_000,
      });
      const hint = `npm run ${program} -- --help says what there is.`;
      assert.equal(stderr, `${program}: ${fault}\n${hint}\n`);
      assert.deepEqual([status, stdout], [2, '']);
    });
  }

  for (const [args, code, fault] of [
    ['rates update', 2, 'give either a file with the table, or its URL, or --from-ecb'],
    ['admin link --without-second-factor', 2, 'needs --email ADDRESS'],
    ['provider connect paypall --site a.example', 2, 'Allowed choices are stripe, paddle'],
    ['provider connect stripe --site a.example --set a', 2, 'It must be like field=value'],
    ['payment list --site a.example --from 2026-02-02 --to 2026-02-01', 2, 'before the first'],
    ['site list', 1, `DATA_DIR is ${MAIN}; allowed is the path of a folder`],
    ['admin link', 1, `DATA_DIR is ${MAIN}; allowed is the path of a folder`],
  ] as const) {
    it(`of tributary ${args} is refused with ${code}`, () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args.split(' ')], {
        ...{ encoding: 'utf8', timeout: 30_000 },
        env: { ...process.env, DATA_DIR: MAIN }, // A file.
      });
      assert.deepEqual([status, stdout], [code, '']);
      assert.ok(stderr.includes(fault), stderr);
    });
  }

  for (const [args, fault] of [
    ['--what', "Unknown option '--what'"],
    ['--kills', `--kills ${NO_VALUE}`],
    ['--kills 1.5', '--kills takes a whole number from 1 on, not 1.5'],
    ['--kills 0', '--kills takes a whole number from 1 on, not 0'],
    ['T1', "Unexpected argument 'T1'"],
    ['--row T99', 'there is no row T99'],
    ['--row T1 --cuts 5', '--cuts is the size of no row that is to run'],
    ['--seed x', '--seed takes a whole number, not x'],
  ] as const) {
    it(`of the torture with ${args} is refused`, () => {
      const options = readOptions(args.split(' '));
      assert.ok(!options.ok);
      assert.ok(options.error.startsWith(fault), options.error);
    });
  }

  it('is not what the rows of a run and their sizes are told by', () => {
    const options = readOptions('--quick --row T1 --row T2 --cuts 5 --seed -7'.split(' '));
    assert.ok(!options.ok); // A seed that begins with a dash wants `=`.
    const good = readOptions('--quick --row T1 --row T2 --cuts 5 --seed=-7'.split(' '));
    assert.ok(good.ok);
    assert.equal(good.value.seed, -7);
    assert.deepEqual(
      good.value.rows.map((row) => [row.id, good.value.amountOf(row)]),
      [
        ['T1', 20],
        ['T2', 5],
      ],
    );
  });
});
