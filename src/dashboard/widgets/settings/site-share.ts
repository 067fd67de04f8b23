/** A link that shows a part of a site. */
export type SiteShare = {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly embed_url: string;
  readonly has_password: boolean;
  readonly panels: readonly string[];
  readonly revenue: boolean;
  readonly last_used_at: string | null;
};
