import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';

const { NODE_COMPILE_CACHE: _, ...WITHOUT_CACHE } = process.env;
const TELLS = `
  import { execFileSync } from 'node:child_process';
  import { getCompileCacheDir } from 'node:module';
  import { keepCompiled } from '${new URL('./keep-compiled.ts', import.meta.url)}';
  keepCompiled();
  const asked = 'process.stdout.write(String(require("node:module").getCompileCacheDir()))';
  const theirs = execFileSync(process.execPath, ['-e', asked], { encoding: 'utf8' });
  process.stdout.write(JSON.stringify([getCompileCacheDir(), theirs]));`;

describe('keeping compiled sources', () => {
  const tell = (env: NodeJS.ProcessEnv): string[] =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', TELLS], {
        encoding: 'utf8',
        env,
      }),
    );

  it('is for this process and its children, beside the dependencies', () => {
    for (const folder of tell(WITHOUT_CACHE)) {
      assert.match(folder, /\/node_modules\/\.cache\/compiled(?:\/|$)/);
    }
  });

  it('goes on without a folder that can be written', () => {
    assert.deepEqual(tell({ ...WITHOUT_CACHE, NODE_COMPILE_CACHE: '/dev/null/cache' }), [
      null,
      'undefined',
    ]);
  });
});
