import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';
import { limitConnectionsMax } from './limit-open-files.ts';

it('connections are no more than the limit of open files leaves', () => {
  assert.equal(limitConnectionsMax({ connectionsMax: 10_000 }, 1_024), 824);
  assert.equal(limitConnectionsMax({ connectionsMax: 500 }, 1_024), 500);
  assert.equal(limitConnectionsMax({ connectionsMax: 10_000 }, 64), 50);
});

it('the limit is the one that the kernel reports', { skip: process.platform !== 'linux' }, () => {
  const url = new URL('./limit-open-files.ts', import.meta.url).href;
  const script = `import { limitConnectionsMax } from '${url}';
    console.log(limitConnectionsMax({ connectionsMax: 10_000 }));`;
  const command = 'ulimit -n 900; exec "$0" --input-type=module -e "$1"';
  const said = execFileSync('sh', ['-c', command, process.execPath, script], { encoding: 'utf8' });
  assert.equal(said.trim(), '700');
});
