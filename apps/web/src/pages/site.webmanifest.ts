import { company } from '@app/site/company';
import type { APIRoute } from 'astro';

const icons = [
  { name: 'icon-192', size: 192, purpose: 'any' },
  { name: 'icon-512', size: 512, purpose: 'any' },
  { name: 'icon-maskable-512', size: 512, purpose: 'maskable' },
];

/** W3C Web App Manifest */
export const GET: APIRoute = () => {
  const manifest = {
    name: company.name,
    short_name: company.name,
    description: company.summary,
    start_url: '/',
    display: 'browser',
    theme_color: import.meta.env.THEME_COLOR_DAY,
    background_color: import.meta.env.THEME_COLOR_DAY,
    icons: icons.map(({ name, size, purpose }) => ({
      src: `/${name}.png`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    })),
  };
  return Response.json(manifest, { headers: { 'content-type': 'application/manifest+json' } });
};
