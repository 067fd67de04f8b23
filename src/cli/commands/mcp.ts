import { Command } from 'commander';
import { findServerUrl } from '../stores/find-server.ts';

const EXAMPLE = `
For Claude Desktop, Cursor and others, with a key of "key create --site DOMAIN --scopes stats:read":

  {"mcpServers": {"tributary": {
    "command": "tributary", "args": ["mcp", "--url", "https://hi.example.com"],
    "env": {"TRIBUTARY_KEY": "trib_…"}}}}
`;

/** `tributary mcp`: the tools for assistants over stdin and stdout, from a running server. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description('serve the tools for assistants over stdin and stdout, from a running server')
    .option('--url <url>', 'the server; by default TRIBUTARY_URL, or the server of DATA_DIR')
    .addHelpText('after', EXAMPLE)
    .action(async (options: { readonly url?: string }, command: Command) => {
      const { TRIBUTARY_KEY: key = '', TRIBUTARY_URL: set } = process.env;
      const url = (options.url ?? set ?? findServerUrl())?.replace(/(?:\/mcp)?\/*$/, '');
      if (url === undefined || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
        command.error('error: name the server: --url https://hi.example.com, or TRIBUTARY_URL');
      }
      if (key === '') command.error('error: set TRIBUTARY_KEY to a key with the scope stats:read');
      // Not before: the protocol's library takes a moment to load.
      const { serveToolsOverStdio } = await import('#mcp/serve-stdio.ts');
      await serveToolsOverStdio({ url: url ?? '', key }, (message) => {
        process.stderr.write(`tributary: ${message}\n`);
      });
    });
}
