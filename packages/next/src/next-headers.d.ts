/** The part of Next.js that is used here. */
declare module 'next/headers.js' {
  export function headers(): Promise<Pick<Headers, 'get'>>;
}
