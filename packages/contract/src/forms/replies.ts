import * as v from 'valibot';

// Apart from the inputs: browsers load those, and of these they use only the types.

export const formTokenReply = v.strictObject({ token: v.string() });
export type FormTokenReply = v.InferOutput<typeof formTokenReply>;

/** Also for what was stored before, and for spam. */
export const storedReply = v.strictObject({ stored: v.literal(true) });
export type StoredReply = v.InferOutput<typeof storedReply>;

export const subscribedReply = v.strictObject({ subscribed: v.literal(true) });
export type SubscribedReply = v.InferOutput<typeof subscribedReply>;

export const subscriptionConfirmedReply = v.strictObject({ confirmed: v.literal(true) });
export type SubscriptionConfirmedReply = v.InferOutput<typeof subscriptionConfirmedReply>;

export const unsubscribedReply = v.strictObject({ unsubscribed: v.literal(true) });
export type UnsubscribedReply = v.InferOutput<typeof unsubscribedReply>;
