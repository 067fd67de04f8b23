/**
 * How this program is run on the command line, before the name of a command: through npm in a checkout, whose sources are
 * TypeScript; through npx if that started it, by the name or file that it was given; otherwise by its name.
 */
export const PROGRAM = nameProgram();

function nameProgram(): string {
  if (import.meta.url.endsWith('.ts')) return 'npm run tributary --';
  const { npm_command, NPX_PACKAGE = 'tributary-analytics' } = process.env;
  return npm_command === 'exec' ? `npx ${NPX_PACKAGE}` : 'tributary';
}
