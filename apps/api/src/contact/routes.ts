import { contactMessage } from '@app/contract/contact';
import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import type { AppEnv } from '../http/context.ts';
import { readInput } from '../http/input.ts';
import { storeContactMessage } from './contact.ts';

/** /api/contact */
export const contactRoutes = (deps: Deps) =>
  new Hono<AppEnv>().post('/', async (c) => {
    const input = await readInput(c, contactMessage, { page: '/contact' });
    if ('refusal' in input) return input.refusal;
    await storeContactMessage(deps, input.value);
    if (c.get('formPage') !== undefined) return c.redirect('/contact#sent', 303);
    return c.json({ stored: true }, 201);
  });
