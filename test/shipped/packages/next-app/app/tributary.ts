import { createTributary } from '@tributary/next/server';

export const tributary = createTributary();
