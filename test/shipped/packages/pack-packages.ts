import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../architecture/source-files.ts';
import { keepOpen } from '../../run/keep-open.ts';

const run = promisify(execFile);

/** The packages, each after those that it needs. */
export const PACKAGES = ['server', 'proxy', 'script', 'next', 'better-auth'] as const;

/** What npm packs: its name, its size on the wire, and its files. */
export type Packed = {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
};

/** Packs the packages as `npm publish` does, once for the files of this process, and unpacks them into `node_modules` of a folder. */
export async function installPacked(folder: string): Promise<ReadonlyMap<string, Packed>> {
  const { packed, all } = await keepOpen('packed packages', packAll);
  for (const [name, { filename }] of all) {
    const into = join(folder, 'node_modules/@tributary', name);
    mkdirSync(into, { recursive: true });
    await run('tar', ['xzf', join(packed, filename), '-C', into, '--strip-components=1']);
  }
  return all;
}

async function packAll() {
  const packed = mkdtempSync(join(tmpdir(), 'tributary-packed-'));
  const folders = PACKAGES.map((name) => `./packages/${name}`);
  const args = ['pack', ...folders, '--json', '--ignore-scripts', '--pack-destination', packed];
  const { stdout } = await run('npm', args, { cwd: ROOT });
  const made = Object.values(JSON.parse(stdout)) as (Packed & { readonly name: string })[];
  const all = new Map(
    PACKAGES.map((name) => {
      const found = made.find((each) => each.name === `@tributary/${name}`);
      if (found === undefined) throw new Error(`npm packed nothing of ${name}`);
      return [name, found] as const;
    }),
  );
  return { packed, all, close: async () => rmSync(packed, { recursive: true }) };
}

/** The manifest of an unpacked package. */
export function readManifest(folder: string, name: string) {
  const text = readFileSync(join(folder, 'node_modules/@tributary', name, 'package.json'), 'utf8');
  return JSON.parse(text) as {
    readonly exports: Readonly<
      Record<string, { readonly types: string; readonly default: string }>
    >;
  };
}
