/** The domain of the demo shop: a reserved one, which belongs to nobody. */
export const DEMO_DOMAIN = 'demo.example';
