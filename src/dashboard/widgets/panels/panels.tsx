import type { ChangeView, View } from '../../address.ts';
import { Bones } from '../../ui/note.tsx';

type PanelsProps = { readonly view: View; readonly onChange: ChangeView };

/** Where visitors and revenue come from, side by side. */
export function Panels(_props: PanelsProps) {
  return <Bones height={320} />;
}
