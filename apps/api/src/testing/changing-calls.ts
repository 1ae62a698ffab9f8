import { limits } from '@app/contract/limits';
import type { ProblemCode } from '@app/contract/problems';

export interface ChangingCall {
  /** A body that would be taken. None where the address says it all. */
  body?: Record<string, unknown>;
  /** The field of a multipart body that holds a file, and how large that may be, in bytes. */
  file?: { field: string; most: number };
  /** Where it leads, followed by a notice, if only forms without scripts send it. */
  formPage?: string;
  /** Whether it takes somebody who is signed in. */
  needsSession?: boolean;
  /** How it refuses a program that has no permission in the call itself; such calls come from no page. */
  withoutPermission?: ProblemCode;
}

const credentials = { email: 'new@example.com', password: 'correct horse' };
export const samplePost = {
  title: 'Title',
  content: 'Text',
  slug: 'slug',
  excerpt: '',
  coverImage: '',
  published: true,
};

const profile = { username: 'new.name', fullName: 'New Name' };
const avatar = { field: 'file', most: limits.avatarBytes };

/** Every call that changes something. A new one belongs here, with one line. */
export const changingCalls: Record<string, ChangingCall> = {
  'POST /api/auth/sign-up': { body: credentials },
  'POST /api/auth/resend-confirmation': { body: { email: credentials.email } },
  'POST /api/auth/confirm': { body: { token: 'token' } },
  'POST /api/auth/sign-in': { body: credentials },
  'POST /api/auth/sign-in-again': {
    body: { password: credentials.password },
    needsSession: true,
  },
  'POST /api/auth/forgot-password': { body: { email: credentials.email } },
  'POST /api/auth/reset-password': { body: { token: 'token', password: credentials.password } },
  'POST /api/auth/sign-out': {},
  'PUT /api/auth/password': { body: { password: 'battery staple' }, needsSession: true },
  'POST /api/auth/password': { body: { password: 'battery staple' }, needsSession: true },
  'POST /api/auth/email': { body: { email: 'other@example.com' }, needsSession: true },
  'POST /api/auth/change-email': { body: { token: 'token' } },
  'POST /api/auth/cancel-email-change': { body: { token: 'token' } },
  'DELETE /api/auth/sessions': { needsSession: true },
  'DELETE /api/auth/sessions/:id': { needsSession: true },
  'POST /api/auth/sessions/end-others': { needsSession: true },
  'POST /api/auth/sessions/:id/end': { needsSession: true },
  'DELETE /api/account': { body: { posts: 'keep' }, needsSession: true },
  'POST /api/account/delete': { body: { posts: 'delete' }, needsSession: true },
  'PATCH /api/profile': { body: profile, needsSession: true },
  'POST /api/profile': { body: profile, needsSession: true },
  'PUT /api/profile/avatar': { file: avatar, needsSession: true },
  'POST /api/profile/avatar': {
    file: avatar,
    needsSession: true,
    formPage: '/profile#avatar-',
  },
  'DELETE /api/profile/avatar': { needsSession: true },
  'POST /api/profile/avatar/delete': { needsSession: true },
  'POST /api/posts': { body: samplePost, needsSession: true },
  'PATCH /api/posts/:post': { body: samplePost, needsSession: true },
  'DELETE /api/posts/:post': { needsSession: true },
  'POST /api/posts/:post': { body: samplePost, needsSession: true },
  'POST /api/posts/:post/delete': { needsSession: true },
  'POST /api/contact': {
    body: {
      name: 'Vera',
      email: 'vera@example.com',
      phone: '',
      company: '',
      message: 'Hello',
      service: 'demo',
    },
  },
  'POST /api/newsletter': { body: { email: 'vera@example.com' } },
  'POST /api/newsletter/confirm': { body: { token: 'token' } },
  'POST /api/newsletter/unsubscribe': { withoutPermission: 'dead_link' },
  'POST /api/mail/resend-events': { withoutPermission: 'not_configured' },
  'POST /api/careers': {
    body: {
      name: 'Vera',
      email: 'vera@example.com',
      resumeLink: 'https://vera.example/resume',
      message: 'Hello, it is me.',
    },
  },
};
