import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

const CLASSES = 'export default new Proxy({}, { get: (_, name) => name })';

// React and the dashboard as people run them, which takes half of the time. With `development`, React warns of more.
process.env.NODE_ENV ??= 'production';

/**
 * Lets Node load the dashboard's sources as the bundler does: components, style sheets and JSON. A class has the name
 * that it has in its sheet.
 */
registerHooks({
  load(url, context, next) {
    if (url.endsWith('.tsx')) return { ...MODULE, source: transform(fileURLToPath(url)) };
    if (url.endsWith('.css')) return { ...MODULE, source: CLASSES };
    if (url.includes('/world-atlas/')) {
      return { ...MODULE, source: `export default ${readFileSync(fileURLToPath(url), 'utf8')}` };
    }
    return next(url, context);
  },
});

const MODULE = { format: 'module', shortCircuit: true } as const;

function transform(path: string): string {
  const { code, errors } = transformSync(path, readFileSync(path, 'utf8'), {
    jsx: { runtime: 'automatic' },
    typescript: { onlyRemoveTypeImports: true },
  });
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`);
  return code;
}
