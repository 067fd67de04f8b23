import Type, { type Static } from 'typebox';
import { OptionalText } from '../text.ts';

/** The parameters of the request for what is installed. */
export const InstallParams = Type.Object({ site_id: OptionalText('The key’s own site.') });

const InstallCheck = Type.Object({
  name: Type.Enum(['script', 'goals', 'payments']),
  ok: Type.Boolean(),
  message: Type.String({ description: 'What was found, in words; if nothing, the likely reason.' }),
  add: OptionalText('The line to add, if it is missing.'),
});

/** What is installed of a site: its script, its goals and its payments. */
export const InstallAnswer = Type.Object(
  {
    site: Type.String({ description: 'The site’s domain.' }),
    installed: Type.Boolean({ description: 'Whether nothing is missing.' }),
    summary: Type.String({ description: 'All findings, in words.' }),
    checks: Type.Array(InstallCheck),
  },
  { description: 'What is installed, and what is not, with the lines to add.' },
);
export type InstallAnswer = Static<typeof InstallAnswer>;
