export type * from './contract.ts';
export * from './tributary.ts';
export { type FailureType, TributaryError } from './tributary-error.ts';
export * from './visitor.ts';
