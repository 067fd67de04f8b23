import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ERROR_TYPES } from '#contract/error.ts';
import { DROP_REASONS } from '#contract/event.ts';
import { ROOT, readDoc } from './source-files.ts';

describe('the docs', () => {
  it('list every error with its code, and no other', () => {
    const rows = tableRows(readDoc('docs/errors.md')).filter(([code]) => /^\d+$/.test(code ?? ''));
    const documented = rows.map(([code, type, when]) => [type, { code: Number(code), when }]);
    assert.deepEqual(Object.fromEntries(documented), ERROR_TYPES);
  });

  it('list every reason to drop an event, and no other', () => {
    const rows = tableRows(readDoc('docs/errors.md')).filter((cells) => cells.length === 2);
    assert.deepEqual(rows.map(([reason]) => reason).slice(1), [...DROP_REASONS]);
  });

  it('list every command, and no other', () => {
    const commands = globSync('src/cli/commands/*.ts', { cwd: ROOT })
      .filter((path) => !path.endsWith('.test.ts'))
      .map((path) => path.slice('src/cli/commands/'.length, -'.ts'.length));
    const documented = tableRows(readDoc('docs/commands.md'))
      .map(([name]) => name)
      .slice(1);
    assert.deepEqual(documented.toSorted(), commands.toSorted());
  });

  it('list every figure of /metrics, and no other', () => {
    const figures = [...readDoc('src/http/metrics.ts').matchAll(/name: '(tributary_\w+)'/g)];
    const documented = tableRows(readDoc('docs/reliability.md'))
      .map(([name]) => name ?? '')
      .filter((name) => name.startsWith('tributary_'));
    assert.deepEqual(documented.toSorted(), figures.map(([, name]) => name).toSorted());
  });

  it('name no npm script that is not there', () => {
    const { scripts } = JSON.parse(readDoc('package.json')) as { scripts: Record<string, string> };
    const docs = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: ROOT });
    const named = docs.flatMap((path) =>
      [...readDoc(path).matchAll(/npm run (?:-s )?([a-z:]+)/g)].map((match) => match[1] ?? ''),
    );
    assert.deepEqual(
      named.filter((name) => scripts[name] === undefined),
      [],
    );
    assert.ok(Object.keys(scripts).length <= 12, 'there are not more than a dozen scripts');
  });
});

/** The cells of every table row, without the backticks of names. */
function tableRows(markdown: string): string[][] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split('|')
        .map((cell) => cell.trim())
        .map((cell) => (/^`[a-z_]+`$/.test(cell) ? cell.slice(1, -1) : cell)),
    );
}
