import { createSign, generateKeyPairSync, hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A user of the provider. */
export type Subject = { sub: string; email: string; email_verified: boolean };

/** An OpenID provider that signs everyone in at once, as its subject. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whom it signs in next, and how to break its tokens. */
  subject: Subject;
  /** Where its document says that the server finds tokens and keys. */
  inner: string;
  fault: 'none' | 'discovery' | 'issuer' | 'audience' | 'nonce' | 'signature' | 'denied';
  close(): void;
}

const CLIENT = { clientId: 'tributary', clientSecret: 'a secret of the client' };

type Grant = { readonly subject: Subject; readonly challenge: string; readonly nonce: string };

/** Listens on a free loopback port, and follows OpenID Connect: one-time codes, PKCE, signed tokens. */
export async function openIdentityProvider(): Promise<IdentityProvider> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const others = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const grants = new Map<string, Grant>();
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: IdentityProvider = {
    ...{ issuer, ...CLIENT, inner: issuer, fault: 'none' as const },
    subject: { sub: '1', email: 'ada@tea.example', email_verified: true },
    close: () => server.close(),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer);
    const send = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (url.pathname === '/.well-known/openid-configuration') {
      send(describe());
    } else if (url.pathname === '/jwks') {
      send({ keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256' }] });
    } else if (url.pathname === '/authorize') authorize(url, response);
    else if (url.pathname === '/token') {
      const body = new URLSearchParams(await readText(request));
      const token = exchange(body, request.headers.authorization);
      send(token ?? { error: 'invalid_grant' }, token === undefined ? 400 : 200);
    } else send({}, 404);
  }

  function describe(): object {
    const named = provider.fault === 'discovery' ? 'https://other.example' : issuer;
    return { ...discovery(issuer, provider.inner), issuer: named };
  }

  function authorize({ searchParams: asked }: URL, response: ServerResponse): void {
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('state', asked.get('state') ?? '');
    if (provider.fault === 'denied') back.searchParams.set('error', 'access_denied');
    else {
      const code = `code-${grants.size + 1}`;
      const challenge = asked.get('code_challenge') ?? '';
      grants.set(code, {
        ...{ challenge, nonce: asked.get('nonce') ?? '', subject: provider.subject },
      });
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  function exchange(body: URLSearchParams, authorization = ''): object | undefined {
    const [id, secret] = Buffer.from(authorization.replace('Basic ', ''), 'base64')
      .toString()
      .split(':');
    const given = [id || body.get('client_id'), secret || body.get('client_secret')];
    const grant = grants.get(body.get('code') ?? '');
    grants.delete(body.get('code') ?? '');
    const verified = hash('sha256', body.get('code_verifier') ?? '', 'base64url');
    const isClient = given.map((text) => decodeURIComponent((text ?? '').replaceAll('+', ' ')));
    if (grant === undefined || grant.challenge !== verified) return undefined;
    if (isClient.join() !== `${CLIENT.clientId},${CLIENT.clientSecret}`) return undefined;
    return { token_type: 'Bearer', access_token: 'none', expires_in: 60, id_token: sign(grant) };
  }

  function sign({ subject, nonce }: Grant): string {
    const { fault } = provider;
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      ...{ ...subject, name: 'Ada', iat: now, exp: now + 60 },
      iss: fault === 'issuer' ? 'https://evil.example' : issuer,
      aud: fault === 'audience' ? 'another' : CLIENT.clientId,
      nonce: fault === 'nonce' ? 'another' : nonce,
    };
    const text = [{ alg: 'RS256', kid: '1', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const key = fault === 'signature' ? others.privateKey : keys.privateKey;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
  }

  return provider;
}

function discovery(issuer: string, inner: string): object {
  return {
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${inner}/token`,
    jwks_uri: `${inner}/jwks`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
