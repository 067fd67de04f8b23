import { useState } from 'react';
import { toPaymentLine } from '#contract/sites/install-lines.ts';
import { CopiedText } from '../../ui/copied-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Tabs } from '../../ui/tabs.tsx';

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

/** How a backend reports a payment. The cookie `service_visitor_id` holds the visitor. */
export function toPaymentSnippets(facts: Pick<Facts, 'origin' | 'currency'>): readonly Snippet[] {
  const { origin, currency } = facts;
  const url = `${origin}/api/v1/payments`;
  return [
    {
      value: 'curl',
      label: 'curl',
      code: toPaymentLine(origin, currency),
    },
    {
      value: 'express',
      label: 'Express',
      code: `await fetch('${url}', {\n  method: 'POST',\n  headers: {\n    authorization: \`Bearer \${process.env.TRIBUTARY_KEY}\`,\n    'content-type': 'application/json',\n  },\n  body: JSON.stringify({\n    transaction_id: order.id,\n    amount: order.total,\n    currency: order.currency,\n    service_visitor_id: req.cookies.service_visitor_id,\n  }),\n});`,
    },
    {
      value: 'next',
      label: 'Next.js',
      code: `// app/checkout/actions.ts\nimport { cookies } from 'next/headers';\n\nconst visitor = (await cookies()).get('service_visitor_id')?.value;\nawait fetch('${url}', {\n  method: 'POST',\n  headers: {\n    authorization: \`Bearer \${process.env.TRIBUTARY_KEY}\`,\n    'content-type': 'application/json',\n  },\n  body: JSON.stringify({\n    transaction_id: order.id,\n    amount: order.total,\n    currency: order.currency,\n    service_visitor_id: visitor,\n  }),\n});`,
    },
    {
      value: 'rails',
      label: 'Rails',
      code: `Net::HTTP.post(\n  URI("${url}"),\n  { transaction_id: order.id, amount: order.total.to_f, currency: order.currency,\n    service_visitor_id: cookies[:service_visitor_id] }.to_json,\n  "Authorization" => "Bearer #{ENV["TRIBUTARY_KEY"]}",\n  "Content-Type" => "application/json"\n)`,
    },
    {
      value: 'laravel',
      label: 'Laravel',
      code: `Http::withToken(env('TRIBUTARY_KEY'))->post('${url}', [\n    'transaction_id' => $order->id,\n    'amount' => (float) $order->total,\n    'currency' => $order->currency,\n    // Laravel decrypts cookies; this one is not its own.\n    'service_visitor_id' => $_COOKIE['service_visitor_id'] ?? null,\n]);`,
    },
  ];
}
