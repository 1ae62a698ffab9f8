import * as v from 'valibot';

// Separate from the inputs: browsers load those schemas, but need only the types of replies.

export const formTokenReply = v.strictObject({ token: v.string() });
export type FormTokenReply = v.InferOutput<typeof formTokenReply>;

/** Also the reply to duplicates and to spam. */
export const storedReply = v.strictObject({ stored: v.literal(true) });
export type StoredReply = v.InferOutput<typeof storedReply>;

export const subscribedReply = v.strictObject({ subscribed: v.literal(true) });
export type SubscribedReply = v.InferOutput<typeof subscribedReply>;

export const subscriptionConfirmedReply = v.strictObject({ confirmed: v.literal(true) });
export type SubscriptionConfirmedReply = v.InferOutput<typeof subscriptionConfirmedReply>;

export const unsubscribedReply = v.strictObject({ unsubscribed: v.literal(true) });
export type UnsubscribedReply = v.InferOutput<typeof unsubscribedReply>;
