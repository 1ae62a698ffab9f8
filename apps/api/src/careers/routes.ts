import { careerInquiry } from '@app/contract/careers';
import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import type { AppEnv } from '../http/context.ts';
import { readInput } from '../http/input.ts';
import { storeCareerInquiry } from './careers.ts';

/** /api/careers */
export const careerRoutes = (deps: Deps) =>
  new Hono<AppEnv>().post('/', async (c) => {
    const input = await readInput(c, careerInquiry, { page: '/careers' });
    if ('refusal' in input) return input.refusal;
    await storeCareerInquiry(deps, input.value);
    if (c.get('formPage') !== undefined) return c.redirect('/careers#sent', 303);
    return c.json({ stored: true }, 201);
  });
