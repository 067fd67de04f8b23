import assert from 'node:assert/strict';
import { type Checker, createChecker } from '#contract/checker.ts';
import { ERROR_TYPES, ErrorAnswer, type ErrorType } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import { type AnswerOf, type BodyOf, ROUTES, type RouteName } from './routes.ts';

/** A request of the dashboard. */
export type Call<Name extends RouteName = RouteName> = {
  readonly route: Name;
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  readonly headers: Headers;
  readonly body: BodyOf<Name>;
};

type Answered<Name extends RouteName> = AnswerOf<Name> | Refusal | Response;

type RouteSchemas = { readonly takes?: object; readonly answers: object };

/** How routes answer: with a value, with what a function makes of the request, or with a {@link refuse refusal}. */
export type Answers = {
  readonly [Name in RouteName]?:
    | Answered<Name>
    | ((call: Call<Name>) => Answered<Name> | Promise<Answered<Name>>);
};

/** An error of the API. */
class Refusal {
  readonly type: ErrorType;
  readonly message: string;
  readonly details: Fault[];
  constructor(type: ErrorType, message: string, details: Fault[]) {
    this.type = type;
    this.message = message;
    this.details = details;
  }
}

/** An answer that refuses the request. */
export function refuse(type: ErrorType, message = 'No.', details: Fault[] = []): Refusal {
  return new Refusal(type, message, details);
}

/** An API in memory, to which the dashboard's `fetch` leads. */
export type FakeApi = {
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Changes how routes answer from now on. */
  readonly answer: (answers: Answers) => void;
  /** The requests so far of a route. */
  readonly calls: <Name extends RouteName>(route: Name) => readonly Call<Name>[];
  /** Throws if a request or an answer broke its schema. */
  readonly assertTrue: () => void;
};

const PATTERNS = (Object.keys(ROUTES) as RouteName[]).map((name) => {
  const [method = '', path = ''] = name.split(' ');
  const pattern = path.replace(/:(\w+)/g, (_, key) => `(?<${key}>[^/]+)`);
  return { name, method, pattern: new RegExp(`^${pattern}$`) };
});

const checkers = new Map<object, Checker<unknown>>();

function checkerOf(schema: object): Checker<unknown> {
  const known = checkers.get(schema) ?? createChecker(schema);
  checkers.set(schema, known);
  return known;
}

/** An API that gives the answers of a test, checked by the schemas of the contract. */
export function createApi(first: Answers): FakeApi {
  let answers: Answers = first;
  const calls: Call[] = [];
  const faults: string[] = [];
  const check = (what: string, schema: object, value: unknown) => {
    const checker = checkerOf(schema);
    if (checker.isValid(value)) return;
    const found = checker.findFaults(value).map(({ path, message }) => `${path} ${message}`);
    faults.push(`${what}: ${found.join('; ')}`);
  };

  async function answerTo(call: Call): Promise<Response> {
    calls.push(call);
    const { takes, answers: promised }: RouteSchemas = ROUTES[call.route];
    if (takes) check(`body of ${call.route}`, takes, call.body);
    const found = answers[call.route] as unknown;
    const value: unknown = typeof found === 'function' ? await found(call) : found;
    if (value instanceof Response) return value;
    if (value instanceof Refusal) return toResponse(value);
    check(`answer of ${call.route}`, promised, value);
    return Response.json(value);
  }

  return {
    async fetch(path, init = {}) {
      const call = toCall(path, init);
      if (call === undefined) faults.push(`${init.method} ${path}: no such route`);
      const answer = call === undefined ? toResponse(refuse('not_found')) : await answerTo(call);
      init.signal?.throwIfAborted();
      return answer;
    },
    answer(more) {
      answers = { ...answers, ...more };
    },
    calls: <Name extends RouteName>(route: Name) =>
      calls.filter((call) => call.route === route) as unknown as Call<Name>[],
    assertTrue: () => assert.deepEqual(faults, []),
  };
}

function toCall(path: string, init: RequestInit): Call | undefined {
  const { pathname, searchParams: search } = new URL(path, 'https://tributary.test');
  for (const { name, method, pattern } of PATTERNS) {
    const match = method === (init.method ?? 'GET') ? pattern.exec(pathname) : null;
    if (match === null) continue;
    const params = Object.entries(match.groups ?? {});
    return {
      route: name,
      params: Object.fromEntries(params.map(([key, value]) => [key, decodeURIComponent(value)])),
      ...{ search, headers: new Headers(init.headers) },
      body: (typeof init.body === 'string' ? JSON.parse(init.body) : undefined) as never,
    };
  }
  return undefined;
}

function toResponse({ type, message, details }: Refusal): Response {
  const { code } = ERROR_TYPES[type];
  const error = { code, type, message, details, request_id: 'req_1' };
  const body = { status: 'error', error };
  assert.deepEqual(checkerOf(ErrorAnswer).findFaults(body), []);
  return Response.json(body, { status: code });
}
