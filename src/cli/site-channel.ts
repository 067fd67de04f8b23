import { Command } from 'commander';
import {
  parseSiteChannel,
  SITE_CHANNELS_MAX,
  type SiteChannel,
  toText,
} from '#domain/acquisition/channels/site-channel.ts';
import { ok, refuse } from '#domain/result.ts';
import type { ChangeChannels } from '#ledger/sites/sites.ts';
import { type AnswerOptions, jsonCommand, toTable, writeAnswer } from './answer.ts';
import { findSiteOrThrow, withLedger } from './with-ledger.ts';

/** `tributary site channel`: a site's own channels, which hold for history too. */
export function channelCommand(): Command {
  return new Command('channel')
    .description('add, list and remove channels of a site’s own; they hold for history too')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand());
}

type AddOptions = AnswerOptions & { readonly where: readonly string[]; readonly first?: boolean };

function addCommand(): Command {
  return jsonCommand('add', 'add a rule; a second rule of the same name is an alternative')
    .argument('<site>', 'its domain or id')
    .argument('<name>', 'the channel that visits get, such as Partners')
    .requiredOption('--where <test...>', 'all must hold: "source is partner.example"')
    .option('--first', 'ask it before the site’s other rules, not after them')
    .action((idOrDomain: string, name: string, { where, first, ...options }: AddOptions) => {
      const rule = parseSiteChannel(name, where);
      if (!rule.ok) throw new Error(rule.error);
      return changeChannels(idOrDomain, options, (channels) =>
        channels.length >= SITE_CHANNELS_MAX
          ? refuse(`A site has at most ${SITE_CHANNELS_MAX} rules of its own.`)
          : ok(first === true ? [rule.value, ...channels] : [...channels, rule.value]),
      );
    });
}

function listCommand(): Command {
  return jsonCommand('list', 'list the rules in the order in which they are asked')
    .argument('<site>', 'its domain or id')
    .action((idOrDomain: string, options: AnswerOptions) =>
      withLedger((ledger) => {
        const { settings } = findSiteOrThrow(ledger, idOrDomain);
        writeChannels(options, settings.channels ?? []);
      }),
    );
}

function removeCommand(): Command {
  return jsonCommand('remove', 'remove every rule of a channel')
    .argument('<site>', 'its domain or id')
    .argument('<name>', 'the channel')
    .action((idOrDomain: string, name: string, options: AnswerOptions) =>
      changeChannels(idOrDomain, options, (channels) => {
        const left = channels.filter((channel) => channel.name !== name);
        if (left.length < channels.length) return ok(left);
        return refuse(
          `There is no channel ${name} of the site's own; "site channel list" names them.`,
        );
      }),
    );
}

function changeChannels(idOrDomain: string, options: AnswerOptions, change: ChangeChannels) {
  return withLedger((ledger) => {
    const { id } = findSiteOrThrow(ledger, idOrDomain);
    const site = ledger.setChannels(id, change);
    if (!site.ok) throw new Error(site.error);
    writeChannels(options, site.value.settings.channels ?? []);
  });
}

function writeChannels(options: AnswerOptions, channels: readonly SiteChannel[]): void {
  const rows = channels.map((channel) => [channel.name, toText(channel)]);
  const text = toTable(['CHANNEL', 'WHERE'], rows, 'The site has no channels of its own.');
  writeAnswer(options, channels, text);
}
