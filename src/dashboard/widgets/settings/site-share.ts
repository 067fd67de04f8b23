import type { ShareAnswer } from '#contract/sites/shares.ts';

/** How a frame looks: a theme, empty for the page's own, and an accent colour, empty for ours. */
export type FrameLook = { readonly theme: string; readonly accent: string };

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** The address of a link's frame, of this look. */
export function toFrameUrl(
  { embed_url: url }: Pick<ShareAnswer, 'embed_url'>,
  { theme, accent }: FrameLook,
): string {
  const look = { ...(theme && { theme }), ...(accent && { accent: accent.replace('#', '') }) };
  const params = new URLSearchParams(look).toString();
  return params === '' ? url : `${url}?${params}`;
}

/** The HTML that embeds a link in another page. Its title is the site's: the link's name is internal. */
export function toSnippet(url: string, site: string): string {
  const toText = (text: string) =>
    text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
  return `<iframe src="${toText(url)}" title="${toText(`Figures of ${site}`)}" style="width:100%;height:600px;border:0"></iframe>
<script async src="${new URL(url).origin}/embed.js"></script>`;
}
