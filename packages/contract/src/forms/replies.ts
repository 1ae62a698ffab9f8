import * as v from 'valibot';

// Apart from the inputs: browsers load those, and of these they use only the types.

export const formTokenReply = v.strictObject({ token: v.string() });
export type FormTokenReply = v.InferOutput<typeof formTokenReply>;

/** Also for what was stored before, and for spam. */
export const storedReply = v.strictObject({ stored: v.literal(true) });

export const subscribedReply = v.strictObject({ subscribed: v.literal(true) });
export const subscriptionConfirmedReply = v.strictObject({ confirmed: v.literal(true) });
export const unsubscribedReply = v.strictObject({ unsubscribed: v.literal(true) });
