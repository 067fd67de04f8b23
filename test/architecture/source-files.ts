import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export type SourceFile = { readonly path: string; readonly text: string; readonly room: string };

/** Every TypeScript file below `src/`, tests included, with the room it lives in. */
export function readSourceFiles(): SourceFile[] {
  return globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
    room: path.split('/')[1] ?? '',
  }));
}

/** Paths that a file imports: from `src/` for our own, else the package's or `node:` name. */
export function importsOf(file: SourceFile): string[] {
  const specifiers = [...file.text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    (match) => match[1] ?? '',
  );
  return specifiers.map((specifier) => {
    if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`;
    if (specifier.startsWith('.')) return posix.join(dirname(file.path), specifier);
    return specifier;
  });
}

export function isTest(file: SourceFile): boolean {
  return file.path.endsWith('.test.ts');
}

export function readDoc(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
