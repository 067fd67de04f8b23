import type { ConnectionField, Provider } from '../provider.ts';

/** What every connection may be given, for an account that several sites share, and for several shops of a site. */
const SHARED: readonly ConnectionField[] = [
  {
    name: 'only_site',
    label: 'Only payments of this site',
    hint: 'For an account that several sites share: only payments count whose metadata have this text as site.',
    ...{ isSecret: false, isRequired: false, example: 'shop.example' },
  },
  {
    name: 'only_products',
    label: 'Only these products',
    hint: 'For an account that several sites share: only payments of these products count. Separate names with commas.',
    ...{ isSecret: false, isRequired: false },
  },
  {
    name: 'id_prefix',
    label: 'Prefix of its ids',
    hint: 'For a second shop that numbers its orders like the first. It cannot change after the first event.',
    ...{ isSecret: false, isRequired: false, pattern: /^[\w:-]{1,20}$/, example: '2:' },
  },
];

/** The fields of connections to a provider. Those that say where things are in its events come last. */
export function fieldsOf({ fields }: Provider): readonly ConnectionField[] {
  const isPath = ({ name }: ConnectionField) => name.endsWith('_path');
  const first = fields.findIndex(isPath);
  return first < 0 ? [...fields, ...SHARED] : fields.toSpliced(first, 0, ...SHARED);
}
