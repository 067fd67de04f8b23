import { tributaryProxy } from '@tributary/next/server';

export const { GET, POST } = tributaryProxy();
