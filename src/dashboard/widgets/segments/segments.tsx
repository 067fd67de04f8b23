import { Suspense, useState } from 'react';
import type { ChangeView, View } from '../../address/address.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Popover } from '../../ui/menu/popover.tsx';
import { Bones } from '../../ui/note.tsx';

const SegmentList = lazyPart(() => import('./segment-list.tsx'), 'SegmentList');

type SegmentsProps = { readonly view: View; readonly onChange: ChangeView };

/** A button that opens the list of saved segments. */
export function Segments({ view, onChange }: SegmentsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover label="Segments" isOpen={isOpen} onOpenChange={setOpen}>
      <Suspense fallback={<Bones width={320} height={160} />}>
        <SegmentList
          filters={view.filters}
          onChoose={(filters) => {
            setOpen(false);
            onChange({ filters });
          }}
        />
      </Suspense>
    </Popover>
  );
}
