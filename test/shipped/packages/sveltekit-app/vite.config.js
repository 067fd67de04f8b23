import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';

/** SvelteKit refuses what a page posts as text unless it knows its own origin. */
const paths = { origin: 'https://www.recipes.example' };

// biome-ignore lint/style/noDefaultExport: Vite reads it.
export default { plugins: [sveltekit({ adapter: adapter(), paths })] };
