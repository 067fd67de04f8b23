import Type, { type Static } from 'typebox';
import { Strict } from '../query-fields.ts';
import { SitePath } from './site.ts';

/** The path parameters of a link. */
export const OwnVisitsPath = Type.Object({ ...SitePath.properties, link: Type.String() });

/** Whether a browser is to be left out of a site's figures, or to count again. */
export const OwnVisitsRequest = Strict({ excluded: Type.Boolean() });

/** A link to open in the browser in question, and whether a page has answered it. */
export const OwnVisitsAnswer = Type.Object(
  {
    id: Type.String(),
    url: Type.String({
      description:
        'Open it within ten minutes. Its parameter works on every page of the site that has the script.',
    }),
    excluded: Type.Boolean(),
    state: Type.Enum(['waiting', 'done', 'cookieless'], {
      description:
        'Whether a page has been opened by the link. Without cookies, a browser cannot be told from others.',
    }),
  },
  { description: 'The link.' },
);
export type OwnVisitsAnswer = Static<typeof OwnVisitsAnswer>;
