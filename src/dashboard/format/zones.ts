import { CURRENCIES, WITHDRAWN_BY_EXPONENT } from '#domain/money/currencies.ts';
import { displayNames } from './intl-forms.ts';

/** Codes of funds and units of account, which no price is in. Source: ISO 4217 list one. */
const FUNDS = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW'];
const LEFT_OUT = new Set([...Object.values(WITHDRAWN_BY_EXPONENT).join(' ').split(' '), ...FUNDS]);

/** The currencies in use, by code and with their names; `also` is among them in any case. */
export function listCurrencies(
  also: string,
): readonly { readonly value: string; readonly label: string }[] {
  const names = displayNames('currency');
  const used = CURRENCIES.map(({ code }) => code).filter((code) => !LEFT_OUT.has(code));
  return [...new Set([...used, also])].toSorted().map((code) => {
    const name = names.of(code) ?? code;
    return { value: code, label: name === code ? code : `${code} · ${name}` };
  });
}

/**
 * A guess at a reader's currency: the euro in a time zone of the euro area, whose readers often have an English or
 * American browser; else that of the locale's country, for the common ones; else the dollar.
 */
export function guessCurrency(locale: string, timeZone: string): string {
  if (EURO_ZONES.test(timeZone)) return 'EUR';
  return BY_COUNTRY.get(new Intl.Locale(locale).region ?? '') ?? 'USD';
}

const EURO_ZONES = new RegExp(
  `^(${[
    'Europe/(Amsterdam|Andorra|Athens|Berlin|Bratislava|Brussels|Dublin|Helsinki|Lisbon|Ljubljana|Luxembourg|Madrid)',
    'Europe/(Malta|Mariehamn|Monaco|Paris|Podgorica|Riga|Rome|San_Marino|Sofia|Tallinn|Vatican|Vienna|Vilnius|Zagreb)',
    'Africa/Ceuta|Asia/Nicosia|Atlantic/(Azores|Canary|Madeira)',
  ].join('|')})$`,
);

const COUNTRIES_BY_CURRENCY: Readonly<Record<string, string>> = {
  ...{ AED: 'AE', ARS: 'AR', AUD: 'AU', BRL: 'BR', CAD: 'CA', CHF: 'CH LI', CLP: 'CL', CNY: 'CN' },
  ...{ COP: 'CO', CZK: 'CZ', DKK: 'DK GL FO', EGP: 'EG', GBP: 'GB', HKD: 'HK', HUF: 'HU' },
  ...{ IDR: 'ID', ILS: 'IL', INR: 'IN', ISK: 'IS', JPY: 'JP', KES: 'KE', KRW: 'KR', MXN: 'MX' },
  ...{ MYR: 'MY', NGN: 'NG', NOK: 'NO', NZD: 'NZ', PHP: 'PH', PLN: 'PL', RON: 'RO', SAR: 'SA' },
  ...{ SEK: 'SE', SGD: 'SG', THB: 'TH', TRY: 'TR', TWD: 'TW', UAH: 'UA', VND: 'VN', ZAR: 'ZA' },
  EUR: 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK',
};
const BY_COUNTRY: ReadonlyMap<string, string> = new Map(
  Object.entries(COUNTRIES_BY_CURRENCY).flatMap(([currency, countries]) =>
    countries.split(' ').map((country) => [country, currency] as const),
  ),
);

/** Zones that `Intl` lists under names of before, and their names of today. Source: the IANA time zone database, 2026. */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** Every time zone under today's name, in alphabetical order, and UTC; `first` leads, as it is called. */
export function listTimeZones(first: string): readonly string[] {
  const zones = Intl.supportedValuesOf('timeZone').map(nameTimeZone).toSorted();
  return [...new Set([first, ...zones, 'UTC'])];
}

/** A zone's name of today. */
export function nameTimeZone(zone: string): string {
  return RENAMED[zone] ?? zone;
}
