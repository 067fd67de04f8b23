/** The domain of the demo shop. `.example` is reserved, so nobody owns it. */
export const DEMO_DOMAIN = 'demo.example';
