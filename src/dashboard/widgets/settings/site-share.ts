import type { ShareAnswer } from '#contract/sites/shares.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** The HTML that embeds a link in another page. Its title is the site's: the link's name is internal. */
export function toSnippet(
  { embed_url: url }: Pick<ShareAnswer, 'embed_url'>,
  site: string,
): string {
  const title = `Figures of ${site}`.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
  const script = `${new URL(url).origin}/embed.js`;
  return `<iframe src="${url}" title="${title}" style="width:100%;height:600px;border:0"></iframe>
<script async src="${script}"></script>`;
}
