import { MODELS, modelOf } from '../../format/models.ts';
import { Menu, MenuChoices } from '../../ui/menu/menu.tsx';

type ModelChoiceProps = {
  readonly name: string;
  readonly value: string;
  readonly onChoose: (model: string) => void;
};

/** A button that says a model and opens the list of them. */
export function ModelChoice({ name, value, onChoose }: ModelChoiceProps) {
  const { label } = modelOf(value);
  return (
    <Menu label={`${label} ▾`} name={`${name}: ${label}`} align="end">
      <MenuChoices<string> value={value} choices={MODELS} onChoose={onChoose} />
    </Menu>
  );
}
