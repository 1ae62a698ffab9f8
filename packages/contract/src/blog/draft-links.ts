import * as v from 'valibot';
import { blogMessages } from './messages.ts';

/** Days, keyed by ISO 8601 duration. */
export const draftLinkLifetimes = { P1D: 1, P7D: 7, P30D: 30 } as const;

type DraftLinkLifetime = keyof typeof draftLinkLifetimes;

export const newDraftLink = v.strictObject({
  lifetime: v.pipe(
    v.picklist(
      Object.keys(draftLinkLifetimes) as DraftLinkLifetime[],
      blogMessages.draftLinks.lifetime,
    ),
    v.description('How long the link works: an ISO 8601 duration.'),
  ),
  pinned: v.pipe(
    v.optional(v.boolean(), false),
    v.description('True: shows the draft as saved now. False: as saved when the link is opened.'),
  ),
});
export type NewDraftLink = v.InferOutput<typeof newDraftLink>;
