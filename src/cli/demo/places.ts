import type { Choice } from './chance.ts';

/** Where a visitor is. The address is that of a whole network, which belongs to no person. */
export type Home = { readonly language: string; readonly timezone: string; readonly ip: string };

const homes =
  (timezone: string, language: string) =>
  (weight: number, ip: string): Choice<Home> => [weight, { language, timezone, ip }];
const germany = homes('Europe/Berlin', 'de-DE');
const austria = homes('Europe/Vienna', 'de-AT');
const france = homes('Europe/Paris', 'fr-FR');
const netherlands = homes('Europe/Amsterdam', 'nl-NL');
const britain = homes('Europe/London', 'en-GB');
const switzerland = homes('Europe/Zurich', 'de-CH');
const america = homes('America/New_York', 'en-US');

/** Where the shop's visitors are: mostly in its own country. */
export const HOMES: readonly Choice<Home>[] = [
  germany(17, '91.66.250.0'), // Berlin
  germany(9, '84.132.212.0'), // Hamburg
  germany(9, '84.128.80.0'), // Munich
  germany(8, '91.64.64.0'), // Frankfurt am Main
  germany(8, '84.133.17.0'), // Augsburg
  germany(4, '2003:c5:8700::'), // Unterhaching
  austria(9, '84.112.0.0'), // Vienna
  austria(4, '62.178.160.0'), // Innsbruck
  france(7, '90.3.87.0'), // Paris
  france(2, '90.4.180.0'), // Lyon
  netherlands(7, '84.80.64.0'), // Amsterdam
  britain(6, '81.129.93.0'), // London
  britain(2, '81.128.192.0'), // Manchester
  switzerland(6, '85.6.46.0'), // Zurich
  america(2, '71.167.203.0'),
];
