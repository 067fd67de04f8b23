export * from './address.ts';
export * from './forward.ts';
