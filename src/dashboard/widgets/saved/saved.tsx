import { type ComponentProps, type CSSProperties, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Segment, SegmentsAnswer } from '#contract/sites/saved.ts';
import { keptSearch, useView } from '../../address/address.ts';
import { toChips } from '../../address/filters.ts';
import { useChangeOfSite, useOfSite, useSite } from '../../api/account.ts';
import { toFilters } from '../../api/query.ts';
import type { ViewFilter } from '../../format/dimensions.ts';
import { pillClass } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { CheckField, Field, type FieldProps, Form, type FormValues } from '../../ui/form.tsx';
import { Inline, Soft, Stack, Words } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Popover } from '../../ui/menu/menu.tsx';
import { type FunnelView, toWithin, useSavedFunnels } from '../funnel/steps.ts';

const NAMED: CSSProperties = {
  ...{ flex: 1, minWidth: 0, color: 'var(--ink)' },
  ...{ overflowWrap: 'anywhere', whiteSpace: 'normal' },
};

const NAME: FieldProps = {
  ...{ label: 'Name', name: 'name', maxLength: 100, required: true, autoComplete: 'off' },
};

type SavedListProps<Item> = {
  /** Its path below the site: `/segments`. */
  readonly path: string;
  readonly items: readonly Item[];
  readonly empty: ReactNode;
  readonly mayChange: (item: Item) => boolean;
  /** The clickable name. */
  readonly toName: (item: Item) => ReactNode;
  /** A form for another: what it saves besides a name. */
  readonly form:
    | false
    | (Pick<ComponentProps<typeof Form>, 'action' | 'children'> & {
        readonly toBody: (values: FormValues) => object;
      });
};

/** What is saved under names: each opens in its own way, and can be renamed and deleted. */
function SavedList<Item extends { readonly id: string; readonly name: string }>(
  props: SavedListProps<Item>,
) {
  const { path, items, empty, mayChange, toName, form } = props;
  const { mutateAsync } = useChangeOfSite();
  return (
    <Stack gap={8} style={{ width: 320, maxWidth: '100%' }}>
      {items.length === 0 && <Soft>{empty}</Soft>}
      {items.map((item) => (
        <Inline key={item.id}>
          {toName(item)}
          {mayChange(item) && <Changes name={item.name} path={`${path}/${item.id}`} />}
        </Inline>
      ))}
      {form && (
        <Form
          {...{ action: form.action, fields: [NAME], clears: true }}
          onSubmit={({ name, ...values }) =>
            mutateAsync({ method: 'POST', path, body: { name, ...form.toBody(values) } })
          }
        >
          {form.children}
        </Form>
      )}
    </Stack>
  );
}

function Changes({ name, path }: { readonly name: string; readonly path: string }) {
  const { mutateAsync } = useChangeOfSite();
  return (
    <>
      <ConfirmButton
        {...{ label: 'Rename', title: `Rename ${name}`, action: 'Save the name' }}
        {...{ size: 'small', look: 'primary', 'aria-label': `Rename ${name}` }}
        onConfirm={(body) => mutateAsync({ method: 'PATCH', path, body })}
      >
        <Field {...NAME} label={`New name of ${name}`} defaultValue={name} />
      </ConfirmButton>
      <RemoveButton label="Delete" {...{ name, path, 'aria-label': `Delete ${name}` }}>
        <p>It is deleted for everybody who sees it.</p>
      </RemoveButton>
    </>
  );
}

type RemoveButtonProps = Pick<ComponentProps<typeof ConfirmButton>, 'aria-label' | 'children'> & {
  /** What is removed: `For the agency`. */
  readonly name: string;
  /** Its path below the site: `/shares/1b4e28ba-2fa1`. */
  readonly path: string;
  readonly label?: string;
};

/** A small button that removes something of the site, after a question that says what that means. */
export function RemoveButton({ name, path, label = 'Remove', ...props }: RemoveButtonProps) {
  const { mutateAsync } = useChangeOfSite();
  return (
    <ConfirmButton
      {...{ label, title: `${label} ${name}?`, action: `${label} ${name}`, size: 'small' }}
      {...props}
      onConfirm={() => mutateAsync({ method: 'DELETE', path })}
    />
  );
}

/** A button that lists saved funnels; admins can save the current one there. */
export function SavedFunnels({ funnel }: { readonly funnel: FunnelView }) {
  const { steps, within } = funnel;
  const [isOpen, setOpen] = useState(false);
  const { domain, role } = useSite();
  const [view] = useView();
  const saved = useSavedFunnels();
  const mayChange = role !== 'viewer';
  const isWhole = steps.length >= 2;
  return (
    <Popover label="Saved" isOpen={isOpen} onOpenChange={setOpen}>
      <Loaded of={saved} width={320} height={160}>
        {({ funnels }) => (
          <SavedList
            {...{ path: '/funnels', items: funnels, mayChange: () => mayChange }}
            empty={`No funnel is saved yet.${mayChange && !isWhole ? ' Choose two steps, then save it here.' : ''}`}
            toName={({ id, name }) => (
              <Link
                to={`/${domain}/funnels/${id}${keptSearch(view)}`}
                {...{ className: pillClass(), style: NAMED, onClick: () => setOpen(false) }}
              >
                {name}
              </Link>
            )}
            form={
              mayChange &&
              isWhole && {
                action: 'Save this funnel',
                toBody: () => ({ steps, within: toWithin(within) }),
              }
            }
          />
        )}
      </Loaded>
    </Popover>
  );
}

type SegmentListProps = {
  readonly filters: readonly ViewFilter[];
  readonly onChoose: (filters: readonly ViewFilter[]) => void;
};

/** The saved segments, and a form to save the page's filters as a new one. */
export function SegmentList({ filters, onChoose }: SegmentListProps) {
  const isAdmin = useSite().role !== 'viewer';
  return (
    <Loaded of={useOfSite<SegmentsAnswer>('/segments')} width={320} height={160}>
      {({ segments }) => (
        <SavedList
          {...{ path: '/segments', items: segments }}
          mayChange={({ shared }) => isAdmin || !shared}
          empty={`No segment is saved yet.${filters.length === 0 ? ' Filter the page, then save it here.' : ''}`}
          toName={(segment) => <SegmentButton {...{ segment, onChoose }} />}
          form={
            filters.length > 0 && {
              action: 'Save these filters',
              toBody: ({ shared }) => ({
                ...{ filters: toFilters(filters), shared: shared !== undefined },
              }),
              children: isAdmin && (
                <CheckField name="shared">For everybody on this site</CheckField>
              ),
            }
          }
        />
      )}
    </Loaded>
  );
}

type SegmentProps = Pick<SegmentListProps, 'onChoose'> & { readonly segment: Segment };

function SegmentButton({ segment: { name, shared, filters }, onChoose }: SegmentProps) {
  const chips = toChips(filters);
  return (
    <button
      {...{ type: 'button', className: pillClass(), style: NAMED, disabled: chips === undefined }}
      title={
        chips ? undefined : 'These filters were set by the API and are too complex to show here.'
      }
      onClick={() => chips && onChoose(chips)}
    >
      {name} {shared && <Words look="soft">shared</Words>}
    </button>
  );
}
