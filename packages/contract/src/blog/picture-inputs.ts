import * as v from 'valibot';
import { optionalLine } from '../fields.ts';
import { limits } from '../limits.ts';

export const pictureChange = v.strictObject({ alt: v.unwrap(optionalLine(limits.pictureAlt)) });
export type PictureChange = v.InferOutput<typeof pictureChange>;
