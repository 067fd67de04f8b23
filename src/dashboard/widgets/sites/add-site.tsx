import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { SiteAnswer } from '#contract/sites/site.ts';
import { request } from '../../api/api.ts';
import { guessCurrency, listCurrencies, listTimeZones, nameTimeZone } from '../../format/zones.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { Card, Stack } from '../../ui/layout.tsx';
import { DemoOffer } from '../demo/demo.tsx';

type AddSiteProps = { readonly isFirst: boolean; readonly onClose: () => void };

/** A form for a new site; the first one is embedded in the page. */
export function AddSite({ isFirst, onClose }: AddSiteProps) {
  if (isFirst) {
    return (
      <Card isPadded>
        <Stack style={{ maxWidth: 430 }}>
          <h2>Your first site</h2>
          <SiteForm />
          <DemoOffer />
        </Stack>
      </Card>
    );
  }
  return (
    <Dialog title="Add a site" isOpen onClose={onClose}>
      <SiteForm />
      <DemoOffer />
    </Dialog>
  );
}

function SiteForm() {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const zone = nameTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const currency = guessCurrency(navigator.language, zone);
  const add = async (values: FormValues) => {
    const body = { ...values, domain: toDomain(values.domain ?? '') };
    const site = await request<SiteAnswer>('/api/v1/sites', { body });
    await client.invalidateQueries({ queryKey: ['me'] });
    navigate(`/${site.domain}`);
  };
  return (
    <Form
      {...{ action: 'Add site', onSubmit: add }}
      fields={[
        {
          ...{ label: 'Domain', name: 'domain', placeholder: 'example.com' },
          hint: 'Including a subdomain, if it has one. www. is added automatically.',
          ...{ autoCapitalize: 'none', required: true, autoFocus: true },
        },
        {
          ...{ label: 'Time zone', name: 'timezone', defaultValue: zone },
          hint: 'Decides when days begin.',
          options: listTimeZones(zone).map((value) => ({ value })),
        },
        {
          ...{ label: 'Currency', name: 'currency', defaultValue: currency },
          hint: 'The currency of reports. Payments may be in any currency.',
          options: listCurrencies(currency),
        },
      ]}
    />
  );
}

/** People paste full URLs. */
function toDomain(text: string): string {
  return text
    .trim()
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')
    .toLowerCase();
}
