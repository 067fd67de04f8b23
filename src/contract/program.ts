/**
 * How this program is run on the command line, before the name of a command: through npm in a checkout, whose sources are
 * TypeScript; through npx if that started it; otherwise by its name.
 */
export const PROGRAM = nameProgram();

function nameProgram(): string {
  if (import.meta.url.endsWith('.ts')) return 'npm run tributary --';
  return process.env.npm_command === 'exec' ? 'npx tributary-analytics' : 'tributary';
}
