import { readFileSync, writeFileSync } from 'node:fs';

/** Writes figures into a page of the docs, between the markers with this name. */
export function writeDocs(page: string, mark: string, text: string): void {
  const path = new URL(`../${page}`, import.meta.url);
  const marks = new RegExp(`(<!-- ${mark} -->\n)[\\s\\S]*?(<!-- /${mark} -->)`);
  const old = readFileSync(path, 'utf8');
  if (!marks.test(old)) throw new Error(`${page} has no marks named ${mark}.`);
  writeFileSync(
    path,
    old.replace(marks, (_all, open, close) => `${open}${text}${close}`),
  );
}
