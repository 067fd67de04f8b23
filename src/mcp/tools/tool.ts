import type { Static, TObject } from 'typebox';
import type { Annotation } from '#contract/sites/saved.ts';
import type { KeyScope } from '#domain/site/scope.ts';
import type { Site } from '#domain/site/site.ts';
import type { VerifyInstall } from '#report/install/verify-install.ts';
import type { ExplainPayment } from '#report/payments/explain-payment.ts';
import type { Stops } from '#report/ports.ts';
import type { Reports } from '#report/reports/create-reports.ts';
import type { Credential } from '#server/requests/authenticate.ts';

/** What the tools ask: the use cases of the API. */
export type ToolDeps = {
  readonly reports: Pick<Reports, 'breakdowns' | 'funnel' | 'retention' | 'countLive' | 'insights'>;
  readonly explainPayment: ExplainPayment;
  readonly verifyInstall: VerifyInstall;
  /** Saves a note of the key on the site's chart. */
  annotate(of: {
    readonly site: Site;
    readonly key: Credential;
    readonly note: Pick<Annotation, 'at' | 'text'>;
  }): Promise<Annotation>;
  /** Adds `behind_seconds` to an answer's `meta` if events have waited for long. */
  noteBehind<Answer>(answer: Answer): Answer;
};

/** A call of a tool: whose key, which site, and the server's URL as the caller knows it. */
export type ToolCall = {
  readonly key: Credential;
  readonly site: Site;
  readonly server: string;
  readonly stops: Stops;
};

/**
 * A tool's answer. Long texts are cut, and `rows` at the end are left out, until it fits into a context.
 */
export type ToolAnswer = {
  readonly rows?: readonly unknown[];
  /** The number of rows that there are. */
  readonly total_rows?: number | undefined;
} & Readonly<Record<string, unknown>>;

/** A tool: how an assistant sees it, the scope that its key needs, and what answers it. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: KeyScope;
  readonly schema: TObject;
  run(sent: unknown, call: ToolCall, deps: ToolDeps): ToolAnswer | Promise<ToolAnswer>;
};

/** Declares a tool, whose arguments have the type of its schema. */
export function tool<Schema extends TObject>(
  of: Omit<Tool, 'schema' | 'run'> & {
    readonly schema: Schema;
    run(sent: Static<Schema>, call: ToolCall, deps: ToolDeps): ToolAnswer | Promise<ToolAnswer>;
  },
): Tool {
  return of as Tool;
}
