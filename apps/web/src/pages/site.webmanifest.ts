import { company } from '@app/site/company';
import type { APIRoute } from 'astro';
import { colors } from '../brand/colors.ts';
import { icons } from '../brand/icons.ts';

/** Who the site is on a home screen (W3C Web App Manifest). */
export const GET: APIRoute = () => {
  const manifest = {
    name: company.name,
    short_name: company.name,
    description: company.summary,
    start_url: '/',
    display: 'browser',
    theme_color: colors['ground']?.day,
    background_color: colors['ground']?.day,
    icons: Object.entries(icons)
      .filter(([name]) => name.startsWith('icon-'))
      .map(([name, { shape, size }]) => ({
        src: `/${name}.png`,
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose: shape === 'full' ? 'maskable' : 'any',
      })),
  };
  return Response.json(manifest, { headers: { 'content-type': 'application/manifest+json' } });
};
