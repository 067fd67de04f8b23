import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const OUT = `${ROOT}dist/dashboard`;

/** How the dashboard is bundled; `outDir` is where the server reads it from. */
export const DASHBOARD_CONFIG: InlineConfig = {
  root: `${ROOT}src/dashboard`,
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [react()],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Inlined files would need a weaker content policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Use plain numbers as names: ad blockers match words.
      output: {
        entryFileNames: 'assets/[hash].js',
        chunkFileNames: 'assets/[hash].js',
        assetFileNames: 'assets/[hash][extname]',
        // One script for the first view: thirty small ones would take turns on the browser's six connections.
        codeSplitting: { groups: [{ name: 'first-view', tags: ['$initial'] }] },
      },
    },
  },
};

/** Bundles `src/dashboard` into `dist/dashboard`, and precompresses each text file. */
export async function saveDashboard(): Promise<void> {
  await rm(OUT, { recursive: true, force: true });
  await build(DASHBOARD_CONFIG);
  // The manifest, which the bundler leaves as it is, names its icons beside itself.
  await cp(`${ROOT}src/dashboard/icons`, `${OUT}/assets`, { recursive: true });
  await compressFiles(OUT);
}

/** Saves the compressed forms of a folder's text files beside them. */
export async function compressFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (/\.(js|css|svg|html|json)$/.test(name)) await compressFile(`${folder}/${name}`);
  }
}

/** Saves the compressed forms of a file beside it. */
export async function compressFile(path: string): Promise<void> {
  const plain = await readFile(path);
  await writeFile(`${path}.br`, brotliCompressSync(plain));
  await writeFile(`${path}.gz`, gzipSync(plain));
}
