import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { QueryAnswer, SentQuery } from '#contract/query.ts';
import { SHARE_HEADER } from '#contract/sites/share.ts';
import type { ReportSite, Stops } from '#report/ports.ts';
import type { Breakdowns } from '#report/query/answer/answer-query.ts';
import { isKnown } from '#server/files/etag.ts';
import { keyOf } from '#server/requests/authenticate.ts';
import type { Server } from '#server/server-type.ts';
import {
  ANSWER_TYPES,
  type AnswerType,
  chooseAnswerType,
  toCsv,
  toNdjson,
} from './answer-formats.ts';
import { limitToShare } from './limit-to-share.ts';
import { accepted, addQueryRoute, type Exchange, type QueryAccess } from './report-route.ts';

/** `POST /api/v1/query`, and `/api/v2/query` for tools written for Plausible's API. */
export function addBreakdownRoutes(server: Server, access: QueryAccess, report: Breakdowns): void {
  for (const id of ['query', 'queryV2']) {
    const isOwn = id === 'query';
    addQueryRoute(server, access, `POST /api/${isOwn ? 'v1' : 'v2'}/query`, {
      operation: [id, `Query visitors, goals and revenue${isOwn ? '' : ', by Plausible’s path'}`],
      description:
        "Follows Plausible's Stats API v2, with attribution and money. See docs/metrics.md.",
      asked: SentQuery,
      answer: QueryAnswer,
      findMoreFaults: (...asked) => report.findMoreFaults(...asked),
      isForShares: isOwn,
      async respond(site, sent, { request, reply, stops, noteBehind }) {
        const { share } = keyOf(request);
        const query = share === undefined ? sent : limitToShare(sent, share);
        const type = chooseAnswerType(request.headers.accept);
        const body = await toBody(report, { site, query, type, stops, noteBehind });
        return sendBody(request, reply, { ...body, type });
      },
    });
  }
}

type Asked = {
  readonly site: ReportSite;
  readonly query: SentQuery;
  readonly type: AnswerType;
  readonly stops: Stops;
  readonly noteBehind: Exchange['noteBehind'];
};

type Body = {
  readonly text: string | Buffer;
  /** The values that JSON responses have in `meta`. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Answers the query in the requested format. Throws a {@link RefusedRequest} if the query is refused. */
async function toBody(report: Breakdowns, asked: Asked): Promise<Body> {
  const { site, query, type, stops, noteBehind } = asked;
  const format = ANSWER_TYPES[type];
  if (format === 'Parquet' || format === 'Arrow' || format === 'ArrowStream') {
    const text = accepted(await report.answerFile(site, query, format, stops));
    return { text, headers: toHeaders(noteBehind({ meta: {} }).meta) };
  }
  const answer = noteBehind(accepted(await report.answer(site, query, stops)));
  if (format === 'json') return { text: JSON.stringify(answer), headers: {} };
  const text = format === 'csv' ? toCsv(answer) : toNdjson(answer);
  return { text, headers: toHeaders(answer.meta) };
}

/** The values of `meta` as headers, for formats without `meta`. */
function toHeaders({
  next_cursor: cursor,
  total_rows: total,
  behind_seconds: behind,
}: QueryAnswer['meta']): Body['headers'] {
  return {
    ...(cursor !== undefined && { 'x-next-cursor': cursor }),
    ...(behind !== undefined && { 'x-behind-seconds': String(behind) }),
    ...(total !== undefined && { 'x-total-rows': String(total) }),
  };
}

/**
 * Sends the response, or 304 if the caller already has it.
 *
 * Why the tag is a hash of the response: late data can change any period, past ones too.
 */
function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, headers, type }: Body & { readonly type: AnswerType },
): FastifyReply {
  const tag = `"${hash('sha256', text, 'base64url').slice(0, 27)}"`;
  const isText = type.startsWith('text/') || type.endsWith('json');
  reply.headers({
    ...headers,
    etag: tag,
    vary: `accept, authorization, ${SHARE_HEADER}`,
    'content-type': isText ? `${type}; charset=utf-8` : type,
  });
  return isKnown(tag, request.headers) ? reply.code(304).send() : reply.send(text);
}
