import type { Site } from '#domain/site/site.ts';
import { toScriptPath } from './script-path.ts';
import type { ScriptAnswer } from './site.ts';

/** The script of a site on a server, and the tag that loads it. */
export function toScriptTag(
  { id, domain }: Pick<Site, 'id' | 'domain'>,
  server: string,
): ScriptAnswer {
  const path = toScriptPath(id);
  const src = `${server}${path}`;
  return { path, src, tag: `<script async data-site="${domain}" src="${src}"></script>` };
}
