/** A site's sections, with the key to press after `G`. */
export const SECTIONS = [
  { label: 'Overview', path: '', key: 'O' },
  { label: 'Attribution', path: '/attribution', key: 'A' },
  { label: 'Funnels', path: '/funnels', key: 'F' },
  { label: 'Retention', path: '/retention', key: 'R' },
  { label: 'Journeys', path: '/journeys', key: 'J' },
  { label: 'People', path: '/people', key: 'P' },
  { label: 'Payments', path: '/payments', key: 'M' },
  { label: 'Settings', path: '/settings', key: 'S' },
] as const;

/** Where `G` leads: the sections, and the live view. */
export const PLACES = [...SECTIONS, { label: 'Live', path: '/live', key: 'L' }] as const;
