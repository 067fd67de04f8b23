import { Command } from 'commander';
import { PROGRAM } from '#contract/program.ts';
import {
  formatChannel,
  parseSiteChannel,
  SITE_CHANNELS_MAX,
  type SiteChannel,
} from '#domain/acquisition/channels/site-channel.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { findSiteOrThrow, withLedger } from '../stores/with-ledger.ts';
import { type AnswerOptions, jsonCommand, toTable, writeAnswer } from './answer.ts';

/** `tributary site channel`: manages a site's custom channels, which also apply to past visits. */
export function channelCommand(): Command {
  return new Command('channel')
    .description('add, list and remove custom channels; they apply to past visits too')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand());
}

type AddOptions = AnswerOptions & { readonly where: readonly string[]; readonly first?: boolean };

function addCommand(): Command {
  return jsonCommand('add', 'add a rule; several rules with the same name are alternatives')
    .argument('<site>', 'the site’s domain or id')
    .argument('<name>', 'the channel to assign, such as Partners')
    .requiredOption(
      '--where <condition...>',
      'conditions that must all be true, such as "source is partner.example"',
    )
    .option('--first', 'put the rule before the site’s other rules instead of after them')
    .action((idOrDomain: string, name: string, { where, first, ...options }: AddOptions) => {
      const rule = parseSiteChannel(name, where);
      if (!rule.ok) throw new Error(rule.error);
      return changeChannels(idOrDomain, options, (channels) =>
        channels.length >= SITE_CHANNELS_MAX
          ? refuse(`A site can have at most ${SITE_CHANNELS_MAX} rules.`)
          : ok(first === true ? [rule.value, ...channels] : [...channels, rule.value]),
      );
    });
}

function listCommand(): Command {
  return jsonCommand('list', 'list the rules in the order in which they apply')
    .argument('<site>', 'the site’s domain or id')
    .action((idOrDomain: string, options: AnswerOptions) =>
      withLedger(async (ledger) => {
        const { settings } = await findSiteOrThrow(ledger, idOrDomain);
        writeChannels(options, settings.channels ?? []);
      }),
    );
}

function removeCommand(): Command {
  return jsonCommand('remove', 'remove every rule of a channel')
    .argument('<site>', 'the site’s domain or id')
    .argument('<name>', 'the channel')
    .action((idOrDomain: string, name: string, options: AnswerOptions) =>
      changeChannels(idOrDomain, options, (channels) => {
        const left = channels.filter((channel) => channel.name !== name);
        if (left.length < channels.length) return ok(left);
        const listed = `"${PROGRAM} site channel list" lists the channels`;
        return refuse(`There is no custom channel ${name}; ${listed}.`);
      }),
    );
}

type Channels = readonly SiteChannel[];
type Change = (channels: Channels) => Result<Channels, string>;

function changeChannels(idOrDomain: string, options: AnswerOptions, change: Change) {
  return withLedger(async (ledger) => {
    const { id, settings } = await findSiteOrThrow(ledger, idOrDomain);
    const channels = change(settings.channels ?? []);
    if (!channels.ok) throw new Error(channels.error);
    const site = await ledger.setChannels(id, channels.value);
    if (!site.ok) throw new Error(site.error.message);
    writeChannels(options, site.value.settings.channels ?? []);
  });
}

function writeChannels(options: AnswerOptions, channels: readonly SiteChannel[]): void {
  const rows = channels.map((channel) => [channel.name, formatChannel(channel)]);
  const text = toTable(['CHANNEL', 'WHERE'], rows, 'The site has no custom channels.');
  writeAnswer(options, channels, text);
}
