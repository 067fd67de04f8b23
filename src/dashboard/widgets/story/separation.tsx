import { lazy, Suspense, useState } from 'react';
import type { StoryAnswer } from '#contract/story.ts';
import { Button } from '../../ui/button.tsx';

const SeparationDialog = lazy(async () => ({
  default: (await import('./separation-dialog.tsx')).SeparationDialog,
}));

/** A button that undoes a join, shown for joined visitors. */
export function Separation({ story }: { readonly story: StoryAnswer }) {
  const [isOpen, setOpen] = useState(false);
  const { visitors } = story.person;
  // Payments without a visitor were matched by customer or email address.
  const hasOthers =
    visitors.length > 1 || story.payments.some((paid) => paid.service_visitor_id === undefined);
  // Stays after the last join: the dialog shows the outcome.
  if (!isOpen && (visitors.length === 0 || !hasOthers)) return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Undo a join …
      </Button>
      {isOpen && (
        <Suspense>
          <SeparationDialog visitors={visitors} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
