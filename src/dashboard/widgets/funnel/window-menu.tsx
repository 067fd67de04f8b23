import { Menu, MenuChoices } from '../../ui/menu/menu.tsx';

const WINDOWS = [
  { value: 'visit', label: 'Within one visit' },
  { value: '1h', label: 'Within an hour' },
  { value: '1d', label: 'Within a day' },
  { value: '7d', label: 'Within 7 days' },
  { value: '14d', label: 'Within 14 days' },
  { value: '30d', label: 'Within 30 days' },
  { value: '90d', label: 'Within 90 days' },
];

type Props = { readonly within: string; readonly onChoose: (within: string) => void };

/** Chooses how far apart steps may be. */
export function WindowMenu({ within, onChoose }: Props) {
  const label = WINDOWS.find(({ value }) => value === within)?.label ?? `Within ${within}`;
  return (
    <Menu label={label}>
      <MenuChoices value={within} choices={WINDOWS} onChoose={onChoose} />
    </Menu>
  );
}
