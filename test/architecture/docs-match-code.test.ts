import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { ERROR_TYPES } from '#contract/error.ts';
import { EXPORT_COLUMNS } from '#contract/exports.ts';
import { DROP_REASONS } from '#domain/visit/dropped-events.ts';
import { ROOT, readDoc } from './source-files.ts';

describe('the docs', () => {
  it('list every error with its code, and no other', () => {
    const rows = tableRows(section('docs/api.md', 'Errors')).slice(1);
    const documented = rows.map(([code, type, when]) => [type, { code: Number(code), when }]);
    assert.deepEqual(Object.fromEntries(documented), ERROR_TYPES);
  });

  it('list every reason to drop an event, and no other', () => {
    const rows = tableRows(section('docs/api.md', 'Events'));
    assert.deepEqual(rows.map(([reason]) => reason).slice(1), [...DROP_REASONS]);
  });

  it('list every column of every export, and no other', () => {
    const [, table = ''] = section('docs/metrics.md', 'Exports').split('```');
    const documented = table
      .trim()
      .split(/\n(?=\w)/)
      .map((row) => row.match(/\w+/g) ?? []);
    const columns = Object.entries(EXPORT_COLUMNS).map(([name, of]) => [name, ...Object.keys(of)]);
    assert.deepEqual(documented, columns);
  });

  it('list every command, and no other', () => {
    const commands = globSync('src/cli/commands/*.ts', { cwd: ROOT })
      .filter((path) => !path.endsWith('.test.ts'))
      .map((path) => path.slice('src/cli/commands/'.length, -'.ts'.length));
    const documented = tableRows(section('docs/operations.md', 'Commands'))
      .map(([name]) => name)
      .slice(1);
    assert.deepEqual(documented.toSorted(), commands.toSorted());
  });

  it('list every figure of /metrics, and no other', () => {
    const figures = [...readDoc('src/server/metrics.ts').matchAll(/'(tributary_\w+)'/g)];
    const documented = tableRows(readDoc('docs/reliability.md'))
      .map(([name]) => name ?? '')
      .filter((name) => name.startsWith('tributary_'));
    assert.deepEqual(documented.toSorted(), figures.map(([, name]) => name).toSorted());
  });

  it('link to no page, heading or file that is not there', () => {
    const broken = pages().flatMap((page) =>
      linksOf(page)
        .filter((link) => !isThere(page, link))
        .map((link) => `${page}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });

  it('are named by the code only where they are', () => {
    const named = globSync(['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'], { cwd: ROOT }).flatMap(
      (path) =>
        [...readDoc(path).matchAll(/docs\/(?:decisions\/\d{4}[\w-]*|[\w-]+)\.md/g)].map(
          (match) => match[0],
        ),
    );
    assert.deepEqual(
      [...new Set(named)].filter((path) => !existsSync(join(ROOT, path))),
      [],
    );
  });

  it('are at most fourteen pages, and one for each provider, with 26,000 words beside their examples', () => {
    const docs = globSync('docs/**/*.md', { cwd: ROOT });
    assert.ok(docs.filter((path) => dirname(path) === 'docs').length <= 14);
    const words = docs.reduce((sum, path) => sum + readProse(path).split(/\s+/).length, 0);
    assert.ok(words <= 26_000, `${words} words`);
  });

  it('name no file that is not there, nor do comments', () => {
    // Those of frameworks name files of applications.
    const files = globSync(['*.md', '{docs,src,test,bench,examples}/**/*.{md,ts}'], {
      ...{ cwd: ROOT, exclude: ['examples/*/node_modules', 'docs/frameworks/*.md'] },
    });
    const missing = files.flatMap((file) =>
      [
        ...readDoc(file).matchAll(
          /`((?:src|test|bench|docs)\/[\w./-]+\.\w+)`|\((test\/[\w./-]+)\)/g,
        ),
      ]
        .map(([, named, other]) => named ?? other ?? '')
        .filter((named) => !existsSync(join(ROOT, named)))
        .map((named) => `${file}: ${named}`),
    );
    assert.deepEqual(missing, []);
  });

  it('name no npm script that is not there', () => {
    const { scripts } = JSON.parse(readDoc('package.json')) as { scripts: Record<string, string> };
    const named = pages().flatMap((path) =>
      [...readDoc(path).matchAll(/npm run (?:-s )?([a-z:]+)/g)].map((match) => match[1] ?? ''),
    );
    assert.deepEqual(
      named.filter((name) => scripts[name] === undefined),
      [],
    );
    assert.ok(Object.keys(scripts).length <= 12, 'there are not more than a dozen scripts');
  });
});

/** A page from a heading of the second level to the next one. */
function section(page: string, heading: string): string {
  const text = readDoc(page);
  const from = text.indexOf(`\n## ${heading}\n`);
  assert.ok(from >= 0, `${page} has no section ${heading}`);
  const to = text.indexOf('\n## ', from + 1);
  return text.slice(from, to < 0 ? undefined : to);
}

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
        .map((cell) => (/^`[a-z_-]+`$/.test(cell) ? cell.slice(1, -1) : cell)),
    );
}

/** Every page that people read. */
function pages(): string[] {
  return globSync(['*.md', 'docs/**/*.md', 'examples/*.md', 'examples/*/*.md', 'packages/*/*.md'], {
    cwd: ROOT,
  });
}

function linksOf(page: string): string[] {
  const links = [...readDoc(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return links.filter((link) => !/^[a-z]+:/.test(link));
}

function isThere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, target))) return false;
  return heading === undefined || headingsOf(target).includes(heading);
}

/** A page without its blocks of code. */
function readProse(page: string): string {
  return readDoc(page).replaceAll(/```[\s\S]*?```/g, '');
}

/** Headings as links name them. */
function headingsOf(page: string): string[] {
  return [...readDoc(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}
