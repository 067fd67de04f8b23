import assert from 'node:assert/strict';

/** The request sent by a `curl` command of the docs. */
export type CurlRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/**
 * Parses a `curl` command like a shell and curl, as far as the docs need it.
 *
 * - Shape: plain, single- and double-quoted words, `$NAME` outside single quotes, and the options `-s -N -X -H -A
 *   -d`.
 * - Throws on anything else: an example that this cannot parse is too clever for the docs.
 */
export function parseCurl(
  command: string,
  variables: Readonly<Record<string, string>>,
): CurlRequest {
  const [program, ...words] = splitWords(command, variables);
  assert.equal(program, 'curl');
  const options: { readonly option: string; readonly value: string }[] = [];
  const plain: string[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (WITH_VALUE.has(word)) options.push({ option: word, value: words.shift() ?? '' });
    else if (!WITHOUT_VALUE.has(word)) plain.push(word);
  }
  const [url = '', ...more] = plain;
  assert.match(url, /^http/, 'the command names an address');
  assert.deepEqual(more, [], 'words or options that no example should need');

  const valuesOf = (name: string) =>
    options.filter(({ option }) => option === name).map(({ value }) => value);
  const [body] = valuesOf('-d');
  const headers = Object.fromEntries(valuesOf('-H').map(splitHeader));
  for (const userAgent of valuesOf('-A')) headers['user-agent'] = userAgent;
  const method = valuesOf('-X')[0] ?? (body === undefined ? 'GET' : 'POST');
  return { url, method, headers, body };
}

const WITH_VALUE: ReadonlySet<string> = new Set(['-H', '-d', '-A', '-X']);
const WITHOUT_VALUE: ReadonlySet<string> = new Set(['-s', '-N']);

function splitHeader(header: string): [name: string, value: string] {
  const colon = header.indexOf(':');
  return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
}

const QUOTED = /'([^']*)'|"([^"]*)"|\\\n|([^\s'"\\]+)|(\s+)/gy;

function splitWords(command: string, variables: Readonly<Record<string, string>>): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [, single, double, plain, space] of command.trim().matchAll(QUOTED)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      const text = single ?? fillIn(double ?? plain ?? '', variables);
      if (text !== '' || double !== undefined) word = (word ?? '') + text;
    }
  }
  return word === undefined ? words : [...words, word];
}

function fillIn(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$([A-Z_]+)/g, (_all, name: string) => {
    const value = variables[name];
    assert.ok(value !== undefined, `an unknown variable $${name}`);
    return value;
  });
}
