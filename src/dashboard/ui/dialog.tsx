import { Dialog as Base } from '@base-ui/react/dialog';
import { type ComponentProps, type ReactNode, type RefObject, useState } from 'react';
import { Button, pillClass } from './button.tsx';
import styles from './dialog.module.css';
import { Form } from './form.tsx';
import { classes, Inline, Stack, wordsClass } from './layout.tsx';

type DialogProps = {
  readonly title: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  /** What gets the initial focus; by default, the first control. */
  readonly focusOn?: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
};

/** A modal over the page; Escape or a click outside closes it. */
export function Dialog({ title, isOpen, onClose, isWide = false, focusOn, children }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.shade} />
        <Base.Popup
          className={classes(styles.popup, isWide && styles.wide)}
          {...(focusOn && { initialFocus: focusOn })}
        >
          <Inline gap={16} isSpread style={{ flexWrap: 'nowrap', padding: '16px 16px 8px 24px' }}>
            <Base.Title className={wordsClass('broken')}>{title}</Base.Title>
            <Base.Close className={pillClass()} aria-label="Close">
              ✕
            </Base.Close>
          </Inline>
          <div style={{ overflow: 'auto', padding: '8px 24px 24px' }}>{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

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
