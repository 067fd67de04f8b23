import { type ComponentProps, type CSSProperties, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { SavedFunnel, Segment, SegmentsAnswer } from '#contract/sites/saved.ts';
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
import { type FunnelView, toWithin } from '../funnel/steps.ts';
import { useSavedFunnels } from '../funnel/use-funnel.ts';

const NAMED: CSSProperties = {
  ...{ flex: 1, minWidth: 0, color: 'var(--ink)' },
  ...{ overflowWrap: 'anywhere', whiteSpace: 'normal' },
};

const NAME: FieldProps = {
  ...{ label: 'Name', name: 'name', maxLength: 100, required: true, autoComplete: 'off' },
};

type SavedRowProps = {
  readonly name: string;
  /** Its path below the site: `/segments/1b4e28ba-2fa1`. */
  readonly path: string;
  readonly mayChange: boolean;
  /** The clickable name. */
  readonly children: ReactNode;
};

/** A saved item: opens in its own way, and can be renamed and deleted. */
function SavedRow({ name, path, mayChange, children }: SavedRowProps) {
  const { mutateAsync } = useChangeOfSite();
  return (
    <Inline>
      {children}
      {mayChange && (
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
      )}
    </Inline>
  );
}

type SaveFormProps = {
  readonly action: string;
  /** The list's path below the site: `/segments`. */
  readonly path: string;
  /** What is saved, besides its name. */
  readonly toBody: (values: FormValues) => object;
  readonly children?: ReactNode;
};

/** Saves something under a name. */
function SaveForm({ action, path, toBody, children }: SaveFormProps) {
  const { mutateAsync } = useChangeOfSite();
  const save = async (values: FormValues) => {
    await mutateAsync({ method: 'POST', path, body: { name: values.name, ...toBody(values) } });
  };
  return (
    <Form action={action} onSubmit={save} fields={[NAME]} clears>
      {children}
    </Form>
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
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover label="Saved" isOpen={isOpen} onOpenChange={setOpen}>
      <SavedList funnel={funnel} onChoose={() => setOpen(false)} />
    </Popover>
  );
}

function SavedList(props: { readonly funnel: FunnelView; readonly onChoose: () => void }) {
  const { funnel, onChoose } = props;
  const { role } = useSite();
  const mayChange = role !== 'viewer';
  const isWhole = funnel.steps.length >= 2;
  return (
    <Loaded of={useSavedFunnels()} width={320} height={160}>
      {({ funnels }) => (
        <Stack gap={8} style={{ width: 320, maxWidth: '100%' }}>
          {funnels.length === 0 && (
            <Soft>
              No funnel is saved yet.{' '}
              {mayChange && !isWhole && 'Choose two steps, then save it here.'}
            </Soft>
          )}
          {funnels.map((saved) => (
            <FunnelRow key={saved.id} saved={saved} mayChange={mayChange} onChoose={onChoose} />
          ))}
          {mayChange && isWhole && (
            <SaveForm
              {...{ action: 'Save this funnel', path: '/funnels' }}
              toBody={() => ({ steps: funnel.steps, within: toWithin(funnel.within) })}
            />
          )}
        </Stack>
      )}
    </Loaded>
  );
}

type FunnelRowProps = {
  readonly saved: SavedFunnel;
  readonly mayChange: boolean;
  readonly onChoose: () => void;
};

function FunnelRow({ saved: { id, name }, mayChange, onChoose }: FunnelRowProps) {
  const { domain } = useSite();
  const [view] = useView();
  return (
    <SavedRow {...{ name, path: `/funnels/${id}`, mayChange }}>
      <Link
        to={`/${domain}/funnels/${id}${keptSearch(view)}`}
        className={pillClass()}
        style={NAMED}
        onClick={onChoose}
      >
        {name}
      </Link>
    </SavedRow>
  );
}

type SegmentListProps = {
  readonly filters: readonly ViewFilter[];
  readonly onChoose: (filters: readonly ViewFilter[]) => void;
};

/** The saved segments, and a form to save the page's filters as a new one. */
export function SegmentList({ filters, onChoose }: SegmentListProps) {
  const { role } = useSite();
  return (
    <Loaded of={useOfSite<SegmentsAnswer>('/segments')} width={320} height={160}>
      {({ segments }) => (
        <Stack gap={8} style={{ width: 320, maxWidth: '100%' }}>
          {segments.length === 0 && (
            <Soft>
              No segment is saved yet.{' '}
              {filters.length === 0 && 'Filter the page, then save it here.'}
            </Soft>
          )}
          {segments.map((segment) => (
            <SegmentRow key={segment.id} segment={segment} onChoose={onChoose} />
          ))}
          {filters.length > 0 && (
            <SaveForm
              {...{ action: 'Save these filters', path: '/segments' }}
              toBody={({ shared }) => ({
                ...{ filters: toFilters(filters), shared: shared !== undefined },
              })}
            >
              {role !== 'viewer' && (
                <CheckField name="shared">For everybody on this site</CheckField>
              )}
            </SaveForm>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

type SegmentRowProps = Pick<SegmentListProps, 'onChoose'> & { readonly segment: Segment };

function SegmentRow({ segment, onChoose }: SegmentRowProps) {
  const { role } = useSite();
  const { id, name, shared } = segment;
  const chips = toChips(segment.filters);
  return (
    <SavedRow {...{ name, path: `/segments/${id}`, mayChange: role !== 'viewer' || !shared }}>
      <button
        type="button"
        className={pillClass()}
        style={NAMED}
        disabled={chips === undefined}
        title={
          chips ? undefined : 'These filters were set by the API and are too complex to show here.'
        }
        onClick={() => chips && onChoose(chips)}
      >
        {name} {shared && <Words look="soft">shared</Words>}
      </button>
    </SavedRow>
  );
}
