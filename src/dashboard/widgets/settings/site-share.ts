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

/** The HTML that embeds a link in another page. */
export function toSnippet({ embed_url: url, name }: Pick<SiteShare, 'embed_url' | 'name'>): string {
  const title = name.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
  const script = `${new URL(url).origin}/embed.js`;
  return `<iframe src="${url}" title="${title}" style="width:100%;height:600px;border:0"></iframe>
<script async src="${script}"></script>`;
}
