import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toAuditedCommand } from './audited-commands.ts';

describe('a command', () => {
  const cases = [
    ['key create --site tea.example --json', 'key create --site tea.example'],
    ['site remove tea.example --yes', 'site remove tea.example'],
    ['site channel add tea.example Partners', 'site channel add tea.example Partners'],
    ['admin link --email a@example.com', 'admin link --email a@example.com'],
    ['demo --visitors 5', 'demo --visitors 5'],
    ['visitor delete 3b241101 --site tea.example', 'visitor delete --site tea.example'],
    ['payment correct t_1 --visitor 3b241101', 'payment correct --site tea.example'],
    ['payment import ann.csv --site tea.example', 'payment import --site tea.example'],
    ['payment undo-import imp_1', 'payment undo-import imp_1'],
    ['payment import ann.csv --site tea.example --dry-run', undefined],
    ['cost import ads.csv --site tea.example', 'cost import ads.csv --site tea.example'],
    ['cost list --site tea.example', undefined],
    ['payment imports', undefined],
    ['key list', undefined],
    ['site script tea.example', undefined],
    ['visitor show 3b241101 --site tea.example', undefined],
    ['doctor', undefined],
  ] as const;
  for (const [said, about] of cases) {
    it(`is ${about === undefined ? 'not ' : ''}recorded: ${said}`, () => {
      assert.equal(toAuditedCommand(said.split(' '), 'tea.example')?.about, about);
    });
  }
});
