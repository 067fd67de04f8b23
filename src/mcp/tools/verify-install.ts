import { SiteArguments } from '#contract/mcp/tools.ts';
import { tool } from './tool.ts';

/** `verify_install`: what is installed, and what to add. */
export const verifyInstallTool = tool({
  name: 'verify_install',
  title: 'Verify the installation',
  description:
    'Whether pageviews, goals and payments of this site arrive, in words, with the exact line to add for each that does not.',
  scope: 'stats:read',
  schema: SiteArguments,
  run: (_, { site, server }, deps) => deps.verifyInstall(site, server),
});
