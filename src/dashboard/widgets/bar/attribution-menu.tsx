import type { ChangeView, View } from '../../address/address.ts';
import { MODELS } from '../../format/models.ts';
import { ChoiceMenu, Menu } from '../../ui/menu/menu.tsx';
import { nameAttribution, WINDOWS } from './choices.ts';

type AttributionMenuProps = { readonly view: View; readonly onChange: ChangeView };

/** Chooses the attribution model and the lookback window. */
export function AttributionMenu({ view, onChange }: AttributionMenuProps) {
  const label = nameAttribution(view);
  return (
    <Menu
      {...{ name: `Attribution: ${label}`, label }}
      entries={[
        { heading: 'Credit goes to' },
        { value: view.model, choices: MODELS, onChoose: (model) => onChange({ model }) },
        'line',
        { heading: 'Visits count for' },
        { value: view.window, choices: WINDOWS, onChoose: (window) => onChange({ window }) },
      ]}
    />
  );
}

type ModelChoiceProps = {
  readonly name: string;
  readonly value: string;
  readonly onChoose: (model: string) => void;
};

/** A button naming a model; opens the list of models. */
export function ModelChoice({ name, value, onChoose }: ModelChoiceProps) {
  return <ChoiceMenu<string> {...{ name, value, choices: MODELS, onChoose, align: 'end' }} />;
}
