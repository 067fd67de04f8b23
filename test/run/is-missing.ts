import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';

/** Skips a test that needs a program which is not installed here: `its` Debian package. */
export function isMissing(context: TestContext, program: string, its: string): boolean {
  if (existsSync(program)) return false;
  context.skip(`${program} is not installed: apt-get install ${its}`);
  return true;
}
