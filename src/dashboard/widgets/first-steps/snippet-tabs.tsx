import { useState } from 'react';
import { toPaymentLine } from '#contract/sites/install-lines.ts';
import { Tabs } from '../../ui/button.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { Stack } from '../../ui/layout.tsx';

/** The same step for several frameworks. */
export function SnippetTabs(props: {
  readonly name: string;
  readonly snippets: readonly Snippet[];
}) {
  const { name, snippets } = props;
  const [chosen, setChosen] = useState(snippets[0]?.value ?? '');
  const snippet = snippets.find((each) => each.value === chosen);
  return (
    <Stack gap={8}>
      <Tabs name={name} value={chosen} choices={snippets} onChoose={setChosen} wraps />
      {snippet && <CopiedText text={snippet.code} name={`${name}, ${snippet.label}`} />}
    </Stack>
  );
}

/** Where to put the tag and how to report revenue, by framework. */
type Snippet = { readonly value: string; readonly label: string; readonly code: string };

type Facts = {
  readonly src: string;
  readonly domain: string;
  readonly origin: string;
  readonly currency: string;
};

/** How pages include the script. */
export function toTagSnippets({ src, domain }: Pick<Facts, 'src' | 'domain'>): readonly Snippet[] {
  const tag = `<script async data-site="${domain}" src="${src}"></script>`;
  return [
    { value: 'html', label: 'HTML', code: `<!-- in the <head> of every page -->\n${tag}` },
    {
      value: 'next',
      label: 'Next.js',
      code: `// app/layout.tsx\nimport Script from 'next/script';\n\n// inside <body>\n<Script data-site="${domain}" src="${src}" />`,
    },
    {
      value: 'rails',
      label: 'Rails',
      code: `<%# app/views/layouts/application.html.erb, in <head> %>\n${tag}`,
    },
    {
      value: 'laravel',
      label: 'Laravel',
      code: `{{-- resources/views/layouts/app.blade.php, in <head> --}}\n${tag}`,
    },
  ];
}

type Report = {
  readonly path: string;
  /** What is sent, by its name: as written in a shell, JavaScript, Ruby and PHP. */
  readonly fields: Readonly<Record<string, readonly [string, string, string, string]>>;
};

/** How a backend reports a payment. The cookie `service_visitor_id` holds the visitor. */
export function toPaymentSnippets({ origin, currency }: Omit<Facts, 'src' | 'domain'>) {
  const [, ...others] = toSnippets(origin, {
    path: '/api/v1/payments',
    fields: {
      transaction_id: ['', 'order.id', 'order.id', '$order->id'],
      amount: ['', 'order.total', 'order.total.to_f', '(float) $order->total'],
      currency: ['', 'order.currency', 'order.currency', '$order->currency'],
    },
  });
  return [{ value: 'curl', label: 'curl', code: toPaymentLine(origin, currency) }, ...others];
}

/** How it reports a goal, such as a sign-up that no page shows. */
export function toGoalSnippets({ origin }: Pick<Facts, 'origin'>) {
  const name = ['"signup"', "'signup'", '"signup"', "'signup'"] as const;
  return toSnippets(origin, { path: '/api/v1/goals', fields: { name } });
}

function toSnippets(origin: string, { path, fields }: Report): readonly Snippet[] {
  const url = `${origin}${path}`;
  const linesOf = (at: 0 | 1 | 2 | 3, toLine: (name: string, value: string) => string) =>
    Object.entries(fields).map(([name, values]) => toLine(name, values[at]));
  const json = [...linesOf(0, (name, value) => `"${name}": ${value}`)];
  json.push('"service_visitor_id": "…the visitor’s cookie…"');
  const fetching = (visitor: string) =>
    `await fetch('${url}', {\n  method: 'POST',\n  headers: {\n    authorization: \`Bearer \${process.env.TRIBUTARY_KEY}\`,\n    'content-type': 'application/json',\n  },\n  body: JSON.stringify({\n${linesOf(1, (name, value) => `    ${name}: ${value},\n`).join('')}    service_visitor_id: ${visitor},\n  }),\n});`;
  const code = {
    curl: `curl ${url} \\\n  -H "Authorization: Bearer $TRIBUTARY_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '{${json.join(', ')}}'`,
    express: fetching('req.cookies.service_visitor_id'),
    next: `// app/checkout/actions.ts\nimport { cookies } from 'next/headers';\n\nconst visitor = (await cookies()).get('service_visitor_id')?.value;\n${fetching('visitor')}`,
    rails: `Net::HTTP.post(\n  URI("${url}"),\n  { ${linesOf(2, (name, value) => `${name}: ${value},\n    `).join('')}service_visitor_id: cookies[:service_visitor_id] }.to_json,\n  "Authorization" => "Bearer #{ENV["TRIBUTARY_KEY"]}",\n  "Content-Type" => "application/json"\n)`,
    laravel: `Http::withToken(env('TRIBUTARY_KEY'))->post('${url}', [\n${linesOf(3, (name, value) => `    '${name}' => ${value},\n`).join('')}    // Laravel decrypts cookies; this one is not its own.\n    'service_visitor_id' => $_COOKIE['service_visitor_id'] ?? null,\n]);`,
  };
  return [
    { value: 'curl', label: 'curl', code: code.curl },
    { value: 'express', label: 'Express', code: code.express },
    { value: 'next', label: 'Next.js', code: code.next },
    { value: 'rails', label: 'Rails', code: code.rails },
    { value: 'laravel', label: 'Laravel', code: code.laravel },
  ];
}
