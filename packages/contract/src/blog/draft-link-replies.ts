import * as v from 'valibot';
import { named } from '../named.ts';
import { time } from './reply-fields.ts';

// Separate from the inputs: browsers load those schemas, but need only the types of replies.

const draftLink = named(
  'DraftLink',
  v.strictObject({
    id: v.string(),
    createdBy: v.pipe(v.string(), v.description('The byline of the writer who created it.')),
    createdAt: time,
    expiresAt: time,
    pinnedTo: v.pipe(
      v.nullable(v.strictObject({ version: v.number(), savedAt: time })),
      v.description('The version that the link shows; null if it follows the draft.'),
    ),
  }),
);
export type DraftLink = v.InferOutput<typeof draftLink>;

export const draftLinkList = v.strictObject({ links: v.array(draftLink) });
export type DraftLinkList = v.InferOutput<typeof draftLinkList>;

export const draftLinkCreated = v.strictObject({
  link: draftLink,
  url: v.pipe(v.string(), v.description('With the secret, which no other reply contains.')),
});
export type DraftLinkCreated = v.InferOutput<typeof draftLinkCreated>;

export const draftLinkRevoked = v.strictObject({ revoked: v.literal(true) });
export type DraftLinkRevoked = v.InferOutput<typeof draftLinkRevoked>;
