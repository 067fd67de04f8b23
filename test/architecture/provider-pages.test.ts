import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { providerCommand } from '#cli/commands/provider.ts';
import { findProvider, PROVIDERS } from '#providers/known/providers.ts';
import { ROOT, readDoc } from './source-files.ts';

const HEADINGS = ['Connect', 'Carry the visitor id', 'Test', 'History'];
/** A page that is about no one provider. */
const OTHERS = ['hosted-shop'];
/** Every API can be at another address. */
const SET_EVERYWHERE = ['base_url'];

describe('the pages of payment providers', () => {
  const names = PROVIDERS.map(({ name }) => name);

  it('are one for each provider, all of one shape', () => {
    const pages = globSync('docs/providers/*.md', { cwd: ROOT }).map((path) =>
      basename(path, '.md'),
    );
    assert.deepEqual(pages.toSorted(), [...names, ...OTHERS].toSorted());
    for (const name of names) {
      const headings = [...readDoc(pathOf(name)).matchAll(/^## (.+)$/gm)].map((match) => match[1]);
      assert.deepEqual(headings, HEADINGS, name);
    }
  });

  it('are linked by the page of all of them, in their order', () => {
    const linked = [...readDoc('docs/providers.md').matchAll(/\(providers\/([\w-]+)\.md\)/g)];
    const found = [...new Set(linked.map((match) => match[1] ?? ''))];
    assert.deepEqual(
      found.filter((name) => !OTHERS.includes(name)),
      names,
    );
    assert.ok(OTHERS.every((name) => found.includes(name)));
  });

  it('show the line that carries the visitor id as the dashboard shows it', () => {
    for (const { name, visitorLine } of PROVIDERS) {
      const [, section = ''] = readDoc(pathOf(name)).split('## Carry the visitor id');
      const [, code = ''] = /```\w+\n([\s\S]*?)```/.exec(section) ?? [];
      assert.ok(code.includes(visitorLine), `${name}: ${visitorLine}`);
    }
  });

  it('say what to click by the words that the dashboard draws', () => {
    for (const { name, steps } of PROVIDERS) {
      const [, connect = ''] = readDoc(pathOf(name)).split(/^## .+$/m);
      const said = [steps[0]?.text ?? '', connect.replaceAll('\n', ' ')];
      const unsaid = (steps[0]?.way ?? []).filter((place) =>
        said.some((text) => !text.includes(place)),
      );
      assert.deepEqual(unsaid, [], name);
    }
  });

  it('name commands, options and fields that exist', () => {
    const faults = globSync('docs/providers/*.md', { cwd: ROOT }).flatMap((path) =>
      commandsIn(readDoc(path)).flatMap((words) =>
        faultsOf(words, basename(path, '.md')).map((fault) => `${path}: ${fault}`),
      ),
    );
    assert.deepEqual(faults, []);
  });

  it('connect their own provider', () => {
    for (const name of names) {
      const connects = commandsIn(readDoc(pathOf(name))).filter(([verb]) => verb === 'connect');
      assert.deepEqual(
        connects.map(([, provider]) => provider),
        [name],
      );
    }
  });
});

const pathOf = (name: string) => `docs/providers/${name}.md`;

/** The words after `provider` of every command on a page, in blocks of code and within sentences. */
function commandsIn(markdown: string): string[][] {
  const text = markdown.replaceAll('\\\n', ' ');
  const found = text.matchAll(/(?:^npm run (?:-s )?tributary -- |`)provider ([^`\n]+)/gm);
  return [...found].map(([, words = '']) => words.trim().split(/\s+/));
}

function faultsOf([verb = '', ...words]: readonly string[], provider: string): string[] {
  const command = providerCommand().commands.find((each) => each.name() === verb);
  if (command === undefined) return [`there is no "provider ${verb}"`];
  const known = command.options.map(({ long }) => long);
  const options = words.filter((word) => word.startsWith('--'));
  const fields = [
    ...SET_EVERYWHERE,
    ...(findProvider(provider)?.fields.map(({ name }) => name) ?? []),
  ];
  const set = words.filter((_, index) => words[index - 1] === '--set');
  return [
    ...options.filter((option) => !known.includes(option)).map((option) => `${verb} ${option}`),
    ...set
      .filter((field) => !fields.includes(field.split('=')[0] ?? ''))
      .map((field) => `--set ${field}`),
  ];
}
