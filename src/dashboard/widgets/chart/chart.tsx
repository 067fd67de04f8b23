import type { ChangeView, View } from '../../address.ts';
import { Bones } from '../../ui/note.tsx';

type ChartProps = { readonly view: View; readonly onChange: ChangeView };

/** One metric as a line, with revenue as bars on a second axis. */
export function Chart(_props: ChartProps) {
  return <Bones height={268} />;
}
