import { refuseFaults } from '#server/errors/errors.ts';

/**
 * Refuses a name that is blank, or that something of its kind has already, whatever its case and the
 * blanks around it. `what` is the kind as people call it: `a segment`.
 */
export function assertNewName(name: string, taken: readonly unknown[], what: string): void {
  const refuse = (message: string) => refuseFaults([{ path: '/name', message }]);
  if (name.trim() === '') throw refuse('must not be blank');
  if (taken.some((each) => fold(each) === fold(name))) {
    throw refuse(`There is already ${what} with that name.`);
  }
}

function fold(name: unknown): string {
  return String(name).trim().normalize().toLowerCase();
}
