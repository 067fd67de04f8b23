import { writeFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { ErrorAnswer } from '#contract/error.ts';
import { Fault } from '#contract/fault.ts';
import { GoalAnswer, GoalRequest } from '#contract/goal.ts';
import { IdentifyAnswer, IdentifyRequest } from '#contract/identify.ts';
import { PaymentAnswer, PaymentRequest } from '#contract/payments/payment.ts';
import { CURRENCIES } from '#domain/money/currencies.ts';

/** The file of `@tributary/server` that states what the contract says. A test holds it to the contract. */
export const PACKAGE_TYPES = new URL('../packages/server/src/contract.ts', import.meta.url);

const SCHEMAS = {
  ...{ GoalRequest, GoalAnswer, IdentifyRequest, IdentifyAnswer, PaymentRequest, PaymentAnswer },
  ...{ Fault, ErrorAnswer },
};

/** The parts of JSON Schema that these schemas use. */
type Schema = {
  readonly type?: string;
  readonly description?: string;
  readonly title?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
};

/** The contract as TypeScript without dependencies: requests, answers, errors, and the decimals of currencies. */
export function toPackageTypes(): string {
  const types = Object.entries<TSchema>(SCHEMAS).map(
    ([name, schema]) =>
      `${toComment(schema, '')}export type ${name} = ${toType(schema as Schema, '')};\n`,
  );
  return [
    '// Made from src/contract by `node scripts/make-package-types.ts`.\n',
    ...types,
    "/** Every error type of the API. */\nexport type ErrorType = ErrorAnswer['error']['type'];\n",
    toDecimals(),
  ].join('\n');
}

function toType(schema: Schema, indent: string): string {
  if (schema.const !== undefined) return toLiteral(schema.const);
  if (schema.enum !== undefined) return toUnion(schema.enum, indent);
  if (schema.items !== undefined) return `ReadonlyArray<${toType(schema.items, indent)}>`;
  if (schema.properties !== undefined) return toObject(schema, indent);
  const [value] = Object.values(schema.patternProperties ?? {});
  if (value !== undefined) return `Readonly<Record<string, ${toType(value, indent)}>>`;
  return schema.type === 'integer' ? 'number' : (schema.type ?? 'unknown');
}

function toUnion(values: readonly unknown[], indent: string): string {
  return values.map((value) => `\n${indent}  | ${toLiteral(value)}`).join('');
}

const toLiteral = (value: unknown) => `'${String(value)}'`;

/** Optional fields may be undefined: a caller often has no visitor. */
function toObject({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const type = toType(schema, inner);
    const field = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
    return `${toComment(schema, inner)}${inner}readonly ${field.replace(/ \n/, '\n')};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

/** A table in a description is for the reference. */
function toComment({ description, title }: Schema, indent: string): string {
  const [text = title] = description?.split('\n') ?? [];
  return text === undefined ? '' : `${indent}/** ${text} */\n`;
}

function toDecimals(): string {
  const others = CURRENCIES.filter(({ exponent }) => exponent !== 2);
  const rows = others
    .toSorted((a, b) => a.code.localeCompare(b.code))
    .map(({ code, exponent }) => `  ${code}: ${exponent},\n`);
  return `/** The decimals of currencies that have not two. Source: ISO 4217. */
export const DECIMALS_BY_CURRENCY: Readonly<Record<string, number>> = {\n${rows.join('')}};\n`;
}

if (import.meta.main) writeFileSync(PACKAGE_TYPES, toPackageTypes());
