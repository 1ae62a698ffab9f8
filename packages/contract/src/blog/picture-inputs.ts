import * as v from 'valibot';
import { optionalText } from '../fields.ts';
import { limits } from '../limits.ts';

export const pictureChange = v.strictObject({ alt: v.unwrap(optionalText(limits.pictureAlt)) });
export type PictureChange = v.InferOutput<typeof pictureChange>;
