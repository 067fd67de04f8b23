import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** In the order in which they need each other. `packages/script` is built with the tracker. */
const COMPILED = ['server', 'proxy', 'next', 'better-auth'];

/**
 * Compiles the packages whose source, or that of one before them, has changed since, and gives each the licence, which
 * npm packs.
 */
export function buildPackages(): void {
  for (const name of [...COMPILED, 'script']) {
    copyFileSync(`${ROOT}LICENSE`, `${ROOT}packages/${name}/LICENSE`);
  }
  let newest = 0;
  for (const name of COMPILED) {
    const folder = `${ROOT}packages/${name}`;
    const sources = globSync([`${folder}/src/*`, `${folder}/*.json`, `${ROOT}packages/*.json`]);
    newest = Math.max(newest, ...sources.map(modifiedAt));
    if (modifiedAt(`${folder}/dist/index.js`) > newest) continue;
    const tsc = `${ROOT}node_modules/typescript/bin/tsc`;
    execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'inherit' });
  }
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (import.meta.main) buildPackages();
