import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import type { Connection } from '#domain/site/connection.ts';
import { changeConnection, type GivenFields } from '#providers/connections/connect.ts';
import type { Connections } from '../stores/with-connections.ts';
import type { AnswerOptions } from './answer.ts';

/** The options of {@link withFields}. */
export type FieldOptions = AnswerOptions & {
  readonly name?: string;
  readonly signingSecret?: string;
  readonly apiKey?: string;
  readonly set?: GivenFields;
};

/** The options by which a connection gets its fields. "-" reads a secret from stdin: arguments are seen by others. */
export function withFields(command: Command): Command {
  return command
    .option('--name <name>', 'a name to recognise the connection by')
    .option('--signing-secret <secret>', 'the webhook’s signing secret; "-" reads it from stdin')
    .option('--api-key <key>', 'a read-only key of the provider; "-" reads it from stdin')
    .option('--set <field=value>', 'another field of the provider; may be repeated', toField);
}

function toField(given: string, before: GivenFields = {}): GivenFields {
  const [name = '', ...value] = given.split('=');
  if (value.length === 0) throw new InvalidArgumentError('It must be like field=value.');
  return { ...before, [name]: value.join('=') };
}

/** The fields that the options give. */
export async function readFields(options: FieldOptions): Promise<GivenFields> {
  const { signingSecret, apiKey, set } = options;
  if (signingSecret === '-' && apiKey === '-') {
    throw new Error('Only one secret is read from stdin: give the other with "provider rotate".');
  }
  const read = async (given?: string) =>
    given === '-' ? (await text(process.stdin)).trim() : given;
  const [signing_secret, api_key] = [await read(signingSecret), await read(apiKey)];
  return { ...set, ...(signing_secret && { signing_secret }), ...(api_key && { api_key }) };
}

/** Asks for a value, or reads it from stdin. */
export async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(question);
  terminal.close();
  return answer.trim();
}

/** Changes a connection. Throws a message for the caller if a field is refused. */
export async function change(
  { ledger, key }: Connections,
  connection: Connection,
  asked: Parameters<typeof changeConnection>[2],
): Promise<Connection> {
  const changed = await changeConnection({ ledger, key, now: Date.now }, connection, asked);
  if (changed.ok) return changed.value;
  throw new Error(`${changed.error.field} ${changed.error.message}.`);
}
