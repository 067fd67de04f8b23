import { NONE } from '#domain/row-labels.ts';
import { type DimensionFamily, eventDimension } from '../../dimension.ts';

/** Value of a custom parameter of the event: `event:props:plan`; `(none)` for events without it. */
export const eventProps = {
  of: 'family',
  name: 'event:props:NAME',
  member(name) {
    if (!/^[a-z0-9_-]{1,64}$/.test(name)) return undefined;
    return eventDimension(`event:props:${name}`, (bind) => {
      const key = bind(name, 'String');
      return `if(mapContains(props, ${key}), props[${key}], '${NONE}')`;
    });
  },
} as const satisfies DimensionFamily;
