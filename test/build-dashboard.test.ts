import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { DASHBOARD_CONFIG } from '../scripts/build-dashboard.ts';

/** What blockers act on, in the names of files and requests. */
const BLOCKED = /analytics|stats|track|event|collect/i;
const FIRST_VIEW_MAX_BYTES = 130_000;

describe('the built dashboard', async () => {
  const built = await build({
    ...DASHBOARD_CONFIG,
    build: { ...DASHBOARD_CONFIG.build, write: false },
  });
  const { output } = [built].flat()[0] as Rolldown.RolldownOutput;
  const chunks = output.filter((each) => each.type === 'chunk');

  it('sends at most 130 KB for the first view, script and style together', (t) => {
    const names = new Set<string>();
    const add = (name: string) => {
      if (names.has(name)) return;
      names.add(name);
      for (const imported of chunks.find((each) => each.fileName === name)?.imports ?? []) {
        add(imported);
      }
    };
    for (const { isEntry, fileName } of chunks) if (isEntry) add(fileName);
    const html = output.find(({ fileName }) => fileName === 'index.html');
    for (const [, name] of textOf(html).matchAll(/href="\/(assets\/[^"]+\.css)"/g)) {
      names.add(name ?? '');
    }
    const sizes = [...names].map(
      (name) => brotliCompressSync(textOf(output.find((each) => each.fileName === name))).length,
    );
    const sum = sizes.reduce((total, size) => total + size, 0);
    t.diagnostic(`${sum} of ${FIRST_VIEW_MAX_BYTES} bytes in ${sizes.length} files`);
    assert.ok(sizes.length > 1 && sum <= FIRST_VIEW_MAX_BYTES, `${sum} bytes`);
  });

  it('loads no library of schemas, in no file', (t) => {
    const bytes = chunks
      .flatMap(({ modules }) => Object.entries(modules))
      .filter(([id]) => id.includes('/node_modules/typebox/'))
      .reduce((sum, [, { renderedLength }]) => sum + renderedLength, 0);
    t.diagnostic(`${bytes} bytes of TypeBox`);
    assert.equal(bytes, 0);
  });

  it('has no file that a blocker would stop', () => {
    const names = output.map(({ fileName }) => fileName);
    assert.deepEqual(
      names.filter((name) => BLOCKED.test(name)),
      [],
    );
  });

  it('keeps to its own server and writes no style or script into the page', () => {
    const html = textOf(output.find(({ fileName }) => fileName === 'index.html'));
    assert.doesNotMatch(html, /<style|style=|<script(?![^>]* src="\/assets\/)|https?:\/\//);
  });
});

function textOf(part: Rolldown.OutputChunk | Rolldown.OutputAsset | undefined): string {
  if (part === undefined) return '';
  return part.type === 'chunk' ? part.code : String(part.source);
}
