import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../architecture/source-files.ts';

const run = promisify(execFile);

/** The packages, each after those that it needs. */
export const PACKAGES = ['server', 'proxy', 'script', 'next', 'better-auth'] as const;

/** What npm packs: its name, its size on the wire, and its files. */
export type Packed = {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
};

/** Packs the packages as `npm publish` does, and unpacks them into `node_modules` of a folder. */
export async function installPacked(folder: string): Promise<ReadonlyMap<string, Packed>> {
  const all = new Map<string, Packed>();
  const packed = mkdtempSync(join(tmpdir(), 'tributary-packed-'));
  for (const name of PACKAGES) {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', packed];
    const { stdout } = await run('npm', args, { cwd: join(ROOT, 'packages', name) });
    const [made] = Object.values(JSON.parse(stdout)) as Packed[];
    if (made === undefined) throw new Error(`npm packed nothing of ${name}`);
    const into = join(folder, 'node_modules/@tributary', name);
    mkdirSync(into, { recursive: true });
    await run('tar', ['xzf', join(packed, made.filename), '-C', into, '--strip-components=1']);
    all.set(name, made);
  }
  rmSync(packed, { recursive: true });
  return all;
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
