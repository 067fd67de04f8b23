import type { AttributionModel } from '#domain/attribution/models.ts';

/** An attribution model in people's words. */
export type ModelForm = {
  readonly value: AttributionModel;
  readonly label: string;
  /** Who gets the credit, in one sentence. */
  readonly meaning: string;
  /** What it is good for, and what it hides. */
  readonly advice: string;
};

/** The attribution models, in the order of choices. */
export const MODELS: readonly ModelForm[] = [
  {
    value: 'first_touch',
    label: 'First touch',
    meaning: 'The first visit of the buyer gets all of it.',
    advice: 'Shows what finds new people; it hides what brings them back to buy.',
  },
  {
    value: 'last_touch',
    label: 'Last touch',
    meaning: 'The last visit before the payment gets all of it.',
    advice: 'Shows what closes; it hides what made people come in the first place.',
  },
  {
    value: 'first_non_direct',
    label: 'First non-direct',
    meaning: 'The first visit that came from somewhere gets all of it.',
    advice: 'As first touch, when many type your address before anything else is known of them.',
  },
  {
    value: 'last_non_direct',
    label: 'Last non-direct',
    meaning: 'The last visit that came from somewhere gets all of it.',
    advice: 'As last touch, when buyers return by typing your address. Common in other tools.',
  },
  {
    value: 'linear',
    label: 'Linear',
    meaning: 'Every visit before the payment gets the same share.',
    advice: 'Favours nobody, and so values a glance as much as a visit that convinced.',
  },
  {
    value: 'position_based',
    label: 'Position-based',
    meaning: '40 % each go to the first and the last visit, the rest to those between.',
    advice: 'Credits both finding and closing.',
  },
  {
    value: 'time_decay',
    label: 'Time decay',
    meaning: 'A visit counts half as much for every seven days before the last one.',
    advice: 'For decisions of days or weeks; early visits of long ones get little.',
  },
  {
    value: 'data_driven',
    label: 'Data-driven',
    meaning:
      'Each channel gets what would be lost without it, learned from all paths of the period.',
    advice: 'Compares buyers with people who left. Wants many payments to be steady.',
  },
];

/** The model of this name; the default for a name that there is none of. */
export function modelOf(name: string): ModelForm {
  return MODELS.find(({ value }) => value === name) ?? (MODELS[0] as ModelForm);
}
