import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';
import { Stack } from './layout.tsx';

type ConfirmProps = Omit<ComponentProps<typeof Button>, 'look'> & {
  readonly look?: 'primary' | 'danger';
  /** What the button says that asks. */
  readonly label: string;
  /** The question: `Remove example.com?` */
  readonly title: string;
  /** What the button that does it says: `Remove`. */
  readonly action: string;
  readonly onConfirm: (values: Readonly<Record<string, string>>) => Promise<unknown>;
  /** What it does, and fields if it needs to know more. */
  readonly children: ReactNode;
};

/** A button for what cannot be undone: it asks first. */
export function ConfirmButton(props: ConfirmProps) {
  const { label, title, action, onConfirm, children, look = 'danger', ...button } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button {...button} {...(look !== 'primary' && { look })} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={close}>
        <Form
          {...{ action, look }}
          beside={<Button onClick={close}>Cancel</Button>}
          onSubmit={async (values) => {
            await onConfirm(values);
            close();
          }}
        >
          <Stack>{children}</Stack>
        </Form>
      </Dialog>
    </>
  );
}
