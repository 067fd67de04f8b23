import { type ReactNode, useState } from 'react';
import { useChangeOfSite } from '../../api/site-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Inline } from '../../ui/layout.tsx';

type SavedRowProps = {
  readonly name: string;
  /** Its path below the site: `/segments/1b4e28ba-2fa1`. */
  readonly path: string;
  readonly mayChange: boolean;
  /** The clickable name. */
  readonly children: ReactNode;
};

/** A saved item: opens in its own way, and can be renamed and deleted. */
export function SavedRow({ name, path, mayChange, children }: SavedRowProps) {
  const [isNaming, setNaming] = useState(false);
  const [wasNamed, setNamed] = useState(false);
  const end = () => {
    setNaming(false);
    setNamed(true);
  };
  if (isNaming) return <NameForm {...{ name, path }} onEnd={end} />;
  return (
    <Inline>
      {children}
      {mayChange && (
        <>
          <Button
            size="small"
            aria-label={`Rename ${name}`}
            autoFocus={wasNamed}
            onClick={() => setNaming(true)}
          >
            Rename
          </Button>
          <DeleteButton {...{ name, path }} />
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
  readonly toBody: (values: Readonly<Record<string, string>>) => object;
  readonly children?: ReactNode;
};

/** Saves something under a name. */
export function SaveForm({ action, path, toBody, children }: SaveFormProps) {
  const { mutateAsync } = useChangeOfSite();
  const save = async (values: Readonly<Record<string, string>>) => {
    await mutateAsync({ method: 'POST', path, body: { name: values.name, ...toBody(values) } });
  };
  return (
    <Form action={action} onSubmit={save} clears>
      <Field
        {...{ label: 'Name', name: 'name', maxLength: 100, required: true, autoComplete: 'off' }}
      />
      {children}
    </Form>
  );
}

type NameFormProps = Pick<SavedRowProps, 'name' | 'path'> & { readonly onEnd: () => void };

function NameForm({ name, path, onEnd }: NameFormProps) {
  const { mutateAsync } = useChangeOfSite();
  const save = async (body: Readonly<Record<string, string>>) => {
    await mutateAsync({ method: 'PATCH', path, body });
    onEnd();
  };
  return (
    <Form
      action="Save the name"
      onSubmit={save}
      beside={
        <Button size="small" onClick={onEnd}>
          Cancel
        </Button>
      }
    >
      <Field
        {...{ label: `New name of ${name}`, name: 'name', maxLength: 100, required: true }}
        {...{ defaultValue: name, autoComplete: 'off', autoFocus: true }}
      />
    </Form>
  );
}

function DeleteButton({ name, path }: Pick<SavedRowProps, 'name' | 'path'>) {
  const { mutate, error } = useChangeOfSite();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button
        size="small"
        aria-label={isAsked ? `Really delete ${name}` : `Delete ${name}`}
        onClick={isAsked ? () => mutate({ method: 'DELETE', path }) : () => setAsked(true)}
      >
        {isAsked ? 'Really delete' : 'Delete'}
      </Button>
      {error && <p role="alert">{error.message}</p>}
    </>
  );
}
