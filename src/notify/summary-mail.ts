import { METRIC_FORMS } from '#contract/reports/catalog.ts';
import type { Figure, Figures } from './ask-figures.ts';
import { format, formatChange, formatValue, valueToNumber } from './format.ts';
import { escapeHtml, type OwnMail } from './own-mail.ts';
import type { SummedDays } from './summed-days.ts';

type SummaryOf = {
  readonly domain: string;
  readonly days: SummedDays & { readonly rhythm: 'weekly' | 'monthly' };
  readonly baseUrl: string;
};

/** Formats the figures of a period as a mail, in text and HTML. */
export function toSummaryMail(of: SummaryOf, summed: Figures): OwnMail {
  const { domain, days, baseUrl } = of;
  const span = `${formatDay(days.from)} to ${formatDay(days.to)}`;
  const url = `${baseUrl}/${domain}?period=custom&from=${days.from}&to=${days.to}`;
  const told = summed.figures.filter(({ metric, value }) =>
    metric === 'revenue' ? valueToNumber(value) !== 0 : metric === 'visitors',
  );
  return {
    subject: `${told.map(toHeadline).join(', ')} last ${days.rhythm === 'monthly' ? 'month' : 'week'} on ${domain}`,
    text: toText({ domain, span, url }, summed),
    html: toHtml({ domain, span, url }, summed),
  };
}

type Head = { readonly domain: string; readonly span: string; readonly url: string };

/** `Revenue €1,200.00 (−62%)`. */
function toHeadline(figure: Figure): string {
  const change = toDifference(figure);
  return `${nameOf(figure)} ${formatOf(figure)}${change && ` (${change})`}`;
}

function toText({ domain, span, url }: Head, { figures, rankings }: Figures): string {
  const lines = figures.map(
    (figure) =>
      `${nameOf(figure).padEnd(16)} ${formatOf(figure).padStart(12)}   ${toChange(figure)}`,
  );
  const lists = rankings.map(({ title, rows }) =>
    [title, ...rows.map(({ name, value }) => `  ${format(value).padStart(12)}  ${name}`)].join(
      '\n',
    ),
  );
  return [`${domain}, ${span}`, lines.join('\n'), ...lists, `Open the dashboard:\n${url}`].join(
    '\n\n',
  );
}

function toHtml({ domain, span, url }: Head, { figures, rankings }: Figures): string {
  const soft = 'color:#5d6368;font-size:13px';
  const cell = 'padding:6px 12px 6px 0;border-top:1px solid #e6e7e4';
  const right = `${cell};text-align:right;white-space:nowrap`;
  const lines = figures.map(
    (figure) =>
      `<tr><td style="${cell}">${escapeHtml(nameOf(figure))}</td>` +
      `<td style="${right}"><b>${escapeHtml(formatOf(figure))}</b></td>` +
      `<td style="${cell};${soft}">${escapeHtml(toChange(figure))}</td></tr>`,
  );
  const lists = rankings.map(
    ({ title, rows }) =>
      `<h2 style="font-size:15px;margin:24px 0 8px">${escapeHtml(title)}</h2>` +
      `<table style="border-collapse:collapse;width:100%">${rows
        .map(
          ({ name, value }) =>
            `<tr><td style="${cell};word-break:break-word">${escapeHtml(name)}</td>` +
            `<td style="${right}">${escapeHtml(format(value))}</td></tr>`,
        )
        .join('')}</table>`,
  );
  return [
    `<h1 style="font-size:20px;margin:0">${escapeHtml(domain)}</h1>`,
    `<p style="${soft};margin:4px 0 16px">${escapeHtml(span)}</p>`,
    `<table style="border-collapse:collapse;width:100%">${lines.join('')}</table>`,
    ...lists,
    `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="color:#3d5fe8">Open the dashboard</a></p>`,
  ].join('\n');
}

function nameOf({ metric }: Figure): string {
  return METRIC_FORMS[metric].label;
}

function formatOf({ metric, value }: Figure): string {
  return formatValue(metric, value);
}

function toDifference({ metric, value, before }: Figure): string {
  return formatChange(metric, valueToNumber(value), valueToNumber(before));
}

/** Formats the change: `+12% (before: 1,100)`; of percentages in points: `−2.5 pt (before: 17.6%)`. */
function toChange(figure: Figure): string {
  const change = toDifference(figure);
  if (change === '') return valueToNumber(figure.value) === 0 ? '' : 'none before';
  return `${change} (before: ${formatOf({ ...figure, value: figure.before })})`;
}

function formatDay(text: string): string {
  return new Date(text).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
}
