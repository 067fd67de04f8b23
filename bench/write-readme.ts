import { readFileSync, writeFileSync } from 'node:fs';

/** Puts figures into the README, between the marks of this name. */
export function writeReadme(mark: 'figures' | 'disk', text: string): void {
  const path = new URL('../README.md', import.meta.url);
  const marks = new RegExp(`(<!-- ${mark} -->\n)[\\s\\S]*?(<!-- /${mark} -->)`);
  const readme = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    readme.replace(marks, (_all, open, close) => `${open}${text}${close}`),
  );
}
