import type { ScriptAnswer } from '#contract/sites/site.ts';
import { toScriptPath } from '#ledger/sites/script-path.ts';
import type { Site } from '#ledger/sites/sites.ts';

/** The script of a site on a server, and the tag that loads it. */
export function toScriptTag(
  { id, domain }: Pick<Site, 'id' | 'domain'>,
  server: string,
): ScriptAnswer {
  const path = toScriptPath(id);
  const src = `${server}${path}`;
  return { path, src, tag: `<script async data-site="${domain}" src="${src}"></script>` };
}
