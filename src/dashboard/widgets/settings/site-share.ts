/** A link that shows a part of a site. */
export type SiteShare = {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly embed_url: string;
  readonly has_password: boolean;
  readonly panels: readonly string[];
  readonly revenue: boolean;
  /** Query API filters that apply to everything the link shows. */
  readonly filters: readonly (readonly unknown[])[];
  readonly last_used_at: string | null;
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** The HTML that embeds a link in another page. Its title is the site's: the link's name is internal. */
export function toSnippet({ embed_url: url }: Pick<SiteShare, 'embed_url'>, site: string): string {
  const title = `Figures of ${site}`.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
  const script = `${new URL(url).origin}/embed.js`;
  return `<iframe src="${url}" title="${title}" style="width:100%;height:600px;border:0"></iframe>
<script async src="${script}"></script>`;
}
