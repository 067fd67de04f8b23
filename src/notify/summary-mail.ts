import { METRIC_FORMS } from '#contract/reports/catalog.ts';
import { toInsightPath } from '#contract/reports/insight-path.ts';
import type { Figure, Figures, RhythmDays } from './ask-figures.ts';
import { format, formatChange, formatValue, valueToNumber } from './format.ts';
import { escapeHtml, type OwnMail } from './own-mail.ts';

type SummaryOf = {
  readonly domain: string;
  readonly days: RhythmDays;
  readonly baseUrl: string;
};

/** Formats the figures of a period as a mail, in text and HTML. */
export function toSummaryMail(of: SummaryOf, summed: Figures): OwnMail {
  const { domain, days, baseUrl } = of;
  const span = `${formatDay(days.from)} to ${formatDay(days.to)}`;
  const siteUrl = `${baseUrl}/${domain}`;
  const url = `${siteUrl}?period=custom&from=${days.from}&to=${days.to}`;
  const told = summed.figures.filter(({ metric, value }) =>
    metric === 'revenue' ? valueToNumber(value) !== 0 : metric === 'visitors',
  );
  return {
    subject: `${told.map(toHeadline).join(', ')} last ${days.rhythm === 'monthly' ? 'month' : 'week'} on ${domain}`,
    text: toText({ domain, span, url, siteUrl }, summed),
    html: toHtml({ domain, span, url, siteUrl }, summed),
  };
}

type Head = Readonly<Record<'domain' | 'span' | 'url' | 'siteUrl', string>>;

const INSIGHTS = 'What stands out';

/** `Revenue €1,200.00 (−62%)`. */
function toHeadline(figure: Figure): string {
  const { change } = toChange(figure);
  return `${nameOf(figure)} ${formatOf(figure)}${change && ` (${change})`}`;
}

function toText(head: Head, { figures, rankings, insights }: Figures): string {
  const { domain, span, url, siteUrl } = head;
  const lines = figures.map((figure) => {
    const { change, before } = toChange(figure);
    const compared = change === '' ? before : `${change} (${before})`;
    return `${nameOf(figure).padEnd(16)} ${formatOf(figure).padStart(12)}   ${compared}`;
  });
  const lists = rankings.map(({ title, rows }) => {
    const lines = rows.map(({ name, value }) => `  ${format(value).padStart(12)}  ${name}`);
    return [title, ...lines].join('\n');
  });
  const said = insights.map((each) => `- ${each.sentence}\n  ${siteUrl}${toInsightPath(each)}`);
  return [
    ...[`${domain}, ${span}`, lines.join('\n')],
    ...(said.length > 0 ? [[INSIGHTS, ...said].join('\n')] : []),
    ...[...lists, `Open the dashboard:\n${url}`],
  ].join('\n\n');
}

function toHtml(head: Head, { figures, rankings, insights }: Figures): string {
  const { domain, span, url, siteUrl } = head;
  const soft = 'color:#5d6368;font-size:13px';
  const line = 'padding:6px 0;border-top:1px solid #e6e7e4;vertical-align:top';
  const right = `${line};padding-left:12px;text-align:right;white-space:nowrap`;
  const lines = figures.map((figure) => {
    const { change, before } = toChange(figure);
    return (
      `<tr><td style="${line}">${escapeHtml(nameOf(figure))}</td>` +
      `<td style="${right}"><b>${escapeHtml(formatOf(figure))}</b>` +
      `<div style="${soft}">${escapeHtml(before)}</div></td>` +
      `<td style="${right}">${escapeHtml(change)}</td></tr>`
    );
  });
  const title = (text: string) =>
    `<h2 style="font-size:15px;margin:24px 0 8px">${escapeHtml(text)}</h2>`;
  const link = (to: string, text: string) =>
    `<a href="${escapeHtml(to)}" style="color:#3d5fe8">${escapeHtml(text)}</a>`;
  const said = insights.map(
    (each) =>
      `<li style="margin:6px 0;word-break:break-word">${link(siteUrl + toInsightPath(each), each.sentence)}</li>`,
  );
  const lists = rankings.map(
    ({ title: heading, rows }) =>
      title(heading) +
      `<table style="border-collapse:collapse;width:100%">${rows
        .map(
          ({ name, value }) =>
            `<tr><td style="${line};word-break:break-word">${escapeHtml(name)}</td>` +
            `<td style="${right}">${escapeHtml(format(value))}</td></tr>`,
        )
        .join('')}</table>`,
  );
  return [
    `<h1 style="font-size:20px;margin:0">${escapeHtml(domain)}</h1>`,
    `<p style="${soft};margin:4px 0 16px">${escapeHtml(span)}</p>`,
    `<table style="border-collapse:collapse;width:100%">${lines.join('')}</table>`,
    ...(said.length > 0
      ? [`${title(INSIGHTS)}<ul style="margin:0;padding-left:20px">${said.join('')}</ul>`]
      : []),
    ...lists,
    `<p style="margin:24px 0">${link(url, 'Open the dashboard')}</p>`,
  ].join('\n');
}

function nameOf({ metric }: Figure): string {
  return METRIC_FORMS[metric].label;
}

function formatOf({ metric, value }: Figure): string {
  return formatValue(metric, value);
}

/** The change and what it is from: `+12%` and `before: 1,100`; of percentages in points: `−2.5 pt`. */
function toChange({ metric, value, before }: Figure): Record<'change' | 'before', string> {
  const change = formatChange(metric, valueToNumber(value), valueToNumber(before));
  if (change !== '') return { change, before: `before: ${formatValue(metric, before)}` };
  return { change, before: valueToNumber(value) === 0 ? '' : 'none before' };
}

function formatDay(text: string): string {
  return new Date(text).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
}
