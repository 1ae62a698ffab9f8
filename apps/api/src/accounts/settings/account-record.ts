import { picturePath } from '@app/contract/blog/pictures';
import type { Database } from '@app/db/open';
import { identities, profiles, sessions, users } from '@app/db/schema/accounts';
import { blogDraftLinks, blogPosts } from '@app/db/schema/blog';
import { careerInquiries } from '@app/db/schema/forms/careers';
import { contactSubmissions } from '@app/db/schema/forms/contact';
import { newsletterSubscriptions } from '@app/db/schema/forms/newsletter';
import { pictures } from '@app/db/schema/pictures';
import { asc, eq } from 'drizzle-orm';

const toIso = (time: number): string => new Date(time).toISOString();
const toIsoOrNull = (time: number | null): string | null => (time === null ? null : toIso(time));

interface FormRow {
  id: string;
  email: string;
  spamSignals: string[] | null;
  createdAt: number;
}

/** All that was typed, so that a new field of a form is not left out. */
const sentForm = <Row extends FormRow>({ id, email, spamSignals, createdAt, ...typed }: Row) => ({
  ...typed,
  sentAt: toIso(createdAt),
});

/**
 * A user's data for account.json, except posts and pictures. Includes forms sent with their
 * address, which is confirmed. Excludes secrets and their hashes. Times are ISO 8601 in UTC.
 */
export function accountRecord(db: Database, userId: string, now: number) {
  const user = db.select().from(users).where(eq(users.id, userId)).get();
  if (!user) throw new Error('there is no such account');
  const { email } = user;
  const profile = db.select().from(profiles).where(eq(profiles.id, userId)).get();
  const devices = db
    .select()
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(asc(sessions.createdAt))
    .all();
  const elsewhere = db.select().from(identities).where(eq(identities.userId, userId)).all();
  const subscription = db
    .select()
    .from(newsletterSubscriptions)
    .where(eq(newsletterSubscriptions.email, email))
    .get();
  const messages = db
    .select()
    .from(contactSubmissions)
    .where(eq(contactSubmissions.email, email))
    .orderBy(asc(contactSubmissions.createdAt))
    .all();
  const inquiries = db
    .select()
    .from(careerInquiries)
    .where(eq(careerInquiries.email, email))
    .orderBy(asc(careerInquiries.createdAt))
    .all();

  const stored = db
    .select()
    .from(pictures)
    .where(eq(pictures.userId, userId))
    .orderBy(asc(pictures.createdAt))
    .all();
  const draftLinks = db
    .select({
      post: blogPosts.title,
      revisionId: blogDraftLinks.revisionId,
      createdAt: blogDraftLinks.createdAt,
      expiresAt: blogDraftLinks.expiresAt,
    })
    .from(blogDraftLinks)
    .innerJoin(blogPosts, eq(blogPosts.id, blogDraftLinks.postId))
    .where(eq(blogDraftLinks.userId, userId))
    .orderBy(asc(blogDraftLinks.id))
    .all();

  return {
    exportedAt: toIso(now),
    account: {
      id: user.id,
      email,
      role: user.role,
      createdAt: toIso(user.createdAt),
      emailConfirmedAt: toIsoOrNull(user.emailConfirmedAt),
    },
    profile: profile
      ? {
          username: profile.username,
          fullName: profile.fullName,
          avatarUrl: profile.avatarUrl,
          updatedAt: toIso(profile.updatedAt),
        }
      : null,
    signInMethods: {
      password: user.passwordHash !== null,
      elsewhere: elsewhere.map(({ provider, subject, createdAt }) => ({
        provider,
        subject,
        connectedAt: toIso(createdAt),
      })),
    },
    devices: devices.map(({ device, createdAt, signedInAt, lastSeenAt, expiresAt }) => ({
      name: device,
      createdAt: toIso(createdAt),
      signedInAt: toIso(signedInAt),
      lastSeenAt: toIso(lastSeenAt),
      expiresAt: toIso(expiresAt),
    })),
    pictures: stored.map((picture) => ({
      path: picturePath(picture),
      alt: picture.alt,
      uploadedAt: toIso(picture.createdAt),
    })),
    newsletter: subscription
      ? {
          state: subscription.state,
          createdAt: toIso(subscription.createdAt),
          confirmedAt: toIsoOrNull(subscription.confirmedAt),
          unsubscribedAt: toIsoOrNull(subscription.unsubscribedAt),
        }
      : null,
    draftLinks: draftLinks.map(({ post, revisionId, createdAt, expiresAt }) => ({
      post,
      shows: revisionId === null ? 'the draft' : 'one version',
      createdAt: toIso(createdAt),
      expiresAt: toIso(expiresAt),
    })),
    contactMessages: messages.map(sentForm),
    careerInquiries: inquiries.map(sentForm),
  };
}
