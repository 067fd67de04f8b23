import { VISITOR_ID_PATTERN } from '#contract/patterns.ts';
import { normalizeEmail } from '#domain/identity/normalize-email.ts';
import { isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import type { Payer, ProviderFact, Translation } from '../facts.ts';

const TEXT_MAX_LENGTH = 255;
const IS_VISITOR = new RegExp(VISITOR_ID_PATTERN);

/** Facts as they are kept: e-mail addresses in lower case, without invalid visitor ids and without placeholders. */
export function toKeptFacts(facts: readonly ProviderFact[]): ProviderFact[] {
  return facts.map((fact) =>
    fact.fact === 'payment' || fact.fact === 'link' ? { ...fact, ...toPayer(fact) } : fact,
  );
}

/** Facts as text: amounts are texts, which JSON cannot round. */
export function writeFacts(facts: readonly ProviderFact[]): string {
  return JSON.stringify(facts, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
}

/** Facts from their text. */
export function readFacts(text: string): ProviderFact[] {
  return JSON.parse(text, (name, value) => (name === 'minor' ? BigInt(value) : value));
}

/** A payment, refund or dispute that cannot be: its amount is negative, or its id is missing or too long. */
export function findOddFact(facts: readonly ProviderFact[]): Translation | undefined {
  const isOdd = (fact: ProviderFact) => {
    if (fact.fact === 'link') return false;
    const { id, amount } = fact;
    return id === '' || id.length > TEXT_MAX_LENGTH || (amount !== undefined && amount.minor < 0n);
  };
  if (!facts.some(isOdd)) return undefined;
  return { kind: 'failed', why: 'An amount is negative, or an id is missing or too long.' };
}

function toPayer({ visitorId, customerId, email, name }: Payer): Payer {
  const address = email === undefined ? undefined : normalizeEmail(email);
  const isVisitor =
    visitorId !== undefined &&
    IS_VISITOR.test(visitorId) &&
    !isPlaceholderKey('visitor', visitorId);
  return {
    visitorId: isVisitor ? visitorId : undefined,
    customerId: unlessPlaceholder('customer', customerId),
    email: unlessPlaceholder('email', address),
    name: name?.slice(0, TEXT_MAX_LENGTH),
  };
}

function unlessPlaceholder(
  kind: 'customer' | 'email',
  key: string | undefined,
): string | undefined {
  const isKept = key !== undefined && key.length <= TEXT_MAX_LENGTH && !isPlaceholderKey(kind, key);
  return isKept ? key : undefined;
}
