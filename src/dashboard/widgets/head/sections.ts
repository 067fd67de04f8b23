/** The sections of a site, with the key that follows `G`. */
export const SECTIONS = [
  { label: 'Overview', path: '', key: 'O' },
  { label: 'Attribution', path: '/attribution', key: 'A' },
  { label: 'People', path: '/people', key: 'P' },
  { label: 'Payments', path: '/payments', key: 'M' },
] as const;
