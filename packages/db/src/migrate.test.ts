import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { MigrationFailed, migrate, pendingMigrations } from './migrate.ts';
import { close, type Database, open } from './open.ts';
import { pendingIdentityLinks, sessions } from './schema/accounts.ts';
import { blogPostBodies } from './schema/blog.ts';
import { emailSuppressions, outbox } from './schema/email.ts';
import { careerInquiries } from './schema/forms/careers.ts';
import { contactSubmissions } from './schema/forms/contact.ts';
import { newsletterSubscriptions as subscriptions } from './schema/forms/newsletter.ts';
import { idempotencyKeys, savedEntries } from './schema/forms/submit.ts';
import { rateLimits, serverSecrets } from './schema/server.ts';
import { earlierMigrations, migrationTags, nextMigrations } from './testing/other-versions.ts';

const ann = { id: '1', email: 'ann@example.com', createdAt: 1 };

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-'));
  file = join(folder, 'site.db');
  return () => rmSync(folder, { recursive: true });
});

function openFile(): Database {
  const db = open(file);
  onTestFinished(() => close(db));
  return db;
}

const nextVersion = (statements: string): string =>
  nextMigrations(join(folder, 'migrations'), statements);

const versionOf = (tag: string): string => earlierMigrations(join(folder, 'migrations'), tag);

const tablesOf = (db: Database): unknown[] =>
  db.$client.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();

test('creates every table', async () => {
  const db = openFile();
  expect(migrate(db)).toBeGreaterThan(0);
  await db.insert(subscriptions).values(ann);
  expect(await db.select().from(subscriptions)).toMatchObject([ann]);
});

test('does nothing the second time', async () => {
  const db = openFile();
  migrate(db);
  await db.insert(subscriptions).values(ann);
  expect(migrate(db)).toBe(0);
  expect(await db.select().from(subscriptions)).toMatchObject([ann]);
});

test('applies only new migrations', async () => {
  const db = openFile();
  migrate(db);
  await db.insert(subscriptions).values(ann);
  const next = nextVersion(
    "ALTER TABLE newsletter_subscriptions ADD COLUMN source text DEFAULT 'footer'",
  );

  expect(migrate(db, next)).toBe(1);
  expect(db.$client.prepare('SELECT email, source FROM newsletter_subscriptions').all()).toEqual([
    { email: ann.email, source: 'footer' },
  ]);
});

test('returns the schema and the number of pending migrations, without writing', () => {
  const db = openFile();
  expect(pendingMigrations(db)).toEqual({ schema: null, pending: migrationTags.length });
  expect(tablesOf(db)).toEqual([]);
  const [, second = ''] = migrationTags;
  migrate(db, versionOf(second));
  expect(pendingMigrations(db)).toEqual({ schema: second, pending: migrationTags.length - 2 });
  migrate(db);
  expect(pendingMigrations(db)).toEqual({ schema: migrationTags.at(-1), pending: 0 });
  expect(pendingMigrations(db, versionOf(second))).toEqual({ schema: null, pending: 0 });
});

test('only one of two concurrent processes migrates', async () => {
  const script = `
    import { migrate } from ${JSON.stringify(new URL('./migrate.ts', import.meta.url).href)};
    import { open } from ${JSON.stringify(new URL('./open.ts', import.meta.url).href)};
    process.stdin.once('data', () => {
      process.stdout.write(String(migrate(open(process.argv[1]))));
      process.exit();
    });
    process.stderr.write('ready');
  `;
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, file]);
    onTestFinished(() => void child.kill());
    await once(child.stderr, 'data');
    return child;
  };
  const processes = await Promise.all([start(), start()]);
  const printed = processes.map(({ stdout }) => (stdout ? text(stdout) : ''));
  for (const { stdin } of processes) stdin?.write('go');

  expect((await Promise.all(printed)).sort()).toEqual(['0', String(migrationTags.length)]);
});

test('rolls back a failed migration and says what to do', async () => {
  const db = openFile();
  migrate(db);
  await db.insert(subscriptions).values(ann);
  const tables = tablesOf(db);
  const next = nextVersion(
    'CREATE TABLE half_done (id text);\n--> statement-breakpoint\nDROP TABLE no_such_table;',
  );

  const attempt = () => migrate(db, next);

  expect(attempt).toThrow(MigrationFailed);
  expect(attempt).toThrow(
    /no such table: no_such_table.*Nothing was changed: start the previous version/,
  );
  expect(tablesOf(db)).toEqual(tables);
  expect(await db.select().from(subscriptions)).toMatchObject([ann]);
  expect(migrate(db)).toBe(0);
});

test('rolls back a migration that violates foreign keys', async () => {
  const db = openFile();
  migrate(db);
  db.$client.exec(`
    INSERT INTO users (id, email, created_at) VALUES ('u', 'ann@example.com', 1);
    INSERT INTO profiles (id, updated_at) VALUES ('u', 1);
  `);
  const next = nextVersion("DELETE FROM users WHERE id = 'u'");

  expect(() => migrate(db, next)).toThrow('rows of profiles would violate foreign keys');
  expect(db.$client.prepare('SELECT id FROM users').all()).toEqual([{ id: 'u' }]);
});

test('enforces foreign keys again after a migration, failed or not', () => {
  const db = openFile();
  const orphan = "INSERT INTO profiles (id, updated_at) VALUES ('nobody', 1)";
  migrate(db);
  expect(() => db.$client.exec(orphan)).toThrow('FOREIGN KEY');
  expect(() => migrate(db, nextVersion('DROP TABLE no_such_table'))).toThrow(MigrationFailed);
  expect(() => db.$client.exec(orphan)).toThrow('FOREIGN KEY');
});

test('refuses a newer database without changing it', () => {
  const db = openFile();
  migrate(db, nextVersion('CREATE TABLE newer (id text)'));
  const tables = tablesOf(db);

  expect(() => migrate(db)).toThrow(MigrationFailed);
  expect(() => migrate(db)).toThrow(/newer version.*`pnpm cli restore`/);
  expect(tablesOf(db)).toEqual(tables);
});

test('migrates queued emails of plain text', async () => {
  const db = openFile();
  migrate(db, versionOf('0002_accounts'));
  const insert = db.$client.prepare(
    "INSERT INTO outbox (id, kind, \"to\", subject, text, html, headers, attempts, next_attempt_at, created_at) VALUES (?, 'test', 'ann@example.com', 'Hello', ?, '<p>Hi</p>', '{\"X-A\":\"b\"}', 3, 7, 5)",
  );
  const words = 'Hello "Ann",\n\nConfirm:\nhttps://example.com/confirm?token=abc';
  insert.run('1', `${words}\n\n-- \nFieldlight AI\nhello@example.com`);
  insert.run('2', 'No signature.');

  expect(migrate(db)).toBeGreaterThan(0);

  const emails = await db.select().from(outbox);
  expect(emails.map(({ props }) => props)).toEqual([
    { paragraphs: [words] },
    { paragraphs: ['No signature.'] },
  ]);
  expect(emails[0]).toMatchObject({
    id: '1',
    state: 'queued',
    attempts: 3,
    nextAttemptAt: 7,
    headers: { 'X-A': 'b' },
  });
});

test('migrates the contents of queued emails to props', () => {
  const db = openFile();
  migrate(db, versionOf('0007_unpublished_by'));
  const insert = db.$client.prepare(
    "INSERT INTO outbox (id, kind, \"to\", subject, letter, next_attempt_at, created_at) VALUES (?, ?, 'ann@example.com', 'Hello', ?, 7, 5)",
  );
  const action = { label: 'Open', url: 'https://example.com/a?token=abc' };
  const link = { label: 'Other', url: 'https://example.com/b?token=def' };
  const fact = (label: string, value: string) => ({ label, value });
  const email = fact('Email', 'vera@example.com');
  const name = fact('Name', 'Vera');
  const quote = { label: 'Message', text: 'one\ntwo' };
  const withLink = { link: action.url };
  const cases: [kind: string, letter: object, props: object][] = [
    ['confirmation', { paragraphs: [], action }, withLink],
    ['already-registered', { paragraphs: [], action }, withLink],
    ['sign-up-again', { paragraphs: [], action }, withLink],
    ['address-taken', { paragraphs: [], action }, withLink],
    ['newsletter-confirmation', { paragraphs: [], action }, withLink],
    ['password-changed', { paragraphs: [], link }, { link: link.url }],
    ['google-linked', { paragraphs: [], link }, { link: link.url }],
    ['password-reset', { paragraphs: [], action }, { ...withLink, hours: 1 }],
    ['email-change', { paragraphs: [], action }, { ...withLink, hours: 24 }],
    [
      'email-change-requested',
      { paragraphs: [], action, facts: [fact('Now', 'a@x.example'), fact('New', 'b@x.example')] },
      { newEmail: 'b@x.example', cancelLink: action.url, hours: 24 },
    ],
    [
      'email-changed',
      { paragraphs: [], facts: [fact('Before', 'a@x.example'), fact('Now', 'b@x.example')] },
      { newEmail: 'b@x.example' },
    ],
    ['account-deleted', { paragraphs: ['Posts stay on the blog.'] }, { posts: 'keep' }],
    ['account-deleted', { paragraphs: ['All is gone.'] }, { posts: 'delete' }],
    [
      'newsletter-welcome',
      { paragraphs: [], action, link },
      { blogLink: action.url, unsubscribeLink: link.url },
    ],
    [
      'contact-receipt',
      { paragraphs: ['Hello Vera,', 'Thank you.'], quote },
      { name: 'Vera', message: quote.text },
    ],
    [
      'contact-notice',
      {
        paragraphs: [],
        facts: [name, email, fact('Company', 'V & Co'), fact('About', 'A demo')],
        quote,
      },
      {
        name: 'Vera',
        email: email.value,
        phone: null,
        company: 'V & Co',
        about: 'A demo',
        message: quote.text,
      },
    ],
    [
      'career-notice',
      { paragraphs: [], facts: [name, email], quote },
      { name: 'Vera', email: email.value, resume: null, message: quote.text },
    ],
  ];
  for (const [index, [kind, letter]] of cases.entries()) {
    insert.run(`${index + 10}`, kind, JSON.stringify({ heading: 'Heading', ...letter }));
  }
  migrate(db);
  const rows = db.select().from(outbox).orderBy(outbox.id).all();
  expect(rows.map(({ kind, props }) => [kind, props])).toEqual(
    cases.map(([kind, , props]) => [kind, props]),
  );
});

test('keeps the rows of renamed tables and columns', () => {
  const db = openFile();
  migrate(db, versionOf('0008_email_props'));
  db.$client.exec(`
    INSERT INTO users (id, email, created_at) VALUES ('u', 'ann@example.com', 1);
    INSERT INTO sessions (id_hash, id, user_id, device, expires_at, created_at, signed_in_at, last_seen_at)
      VALUES ('hash', 's', 'u', 'Firefox on Windows', 9, 1, 2, 3);
    INSERT INTO pending_links (token_hash, provider, subject, user_id, expires_at) VALUES ('link', 'google', 'sub', 'u', 9);
    INSERT INTO blog_posts (id, slug, title, excerpt, content, published, author_id, author_email, created_at, updated_at)
      VALUES ('p', 'post', 'Post', '', 'Text', 1, 'u', 'ann@example.com', 1, 1);
    INSERT INTO blog_post_bodies (post_id, pipeline, html) VALUES ('p', 2, '<p>Text</p>');
    INSERT INTO kept_entries (token_hash, form, entries, issues, created_at)
      VALUES ('entries', 'contact', '{"name":"Vera"}', '[{"path":"email","message":"Wrong"}]', 4);
    INSERT INTO submission_keys (form, key, body_hash, created_at) VALUES ('contact', 'key', 'body', 5);
    INSERT INTO mail_suppressions (email, reason, created_at) VALUES ('bob@example.com', 'bounce', 6);
    INSERT INTO contact_submissions (id, name, email, phone, company, message, service, quarantined_for, created_at)
      VALUES ('c', 'Vera', 'vera@example.com', '', '', 'Hello', 'demo', '["many links"]', 7);
    INSERT INTO career_inquiries (id, name, email, message, created_at) VALUES ('i', 'Jo', 'jo@example.com', 'Hello', 8);
    INSERT INTO newsletter_subscriptions (id, email, asked, asked_since, created_at) VALUES ('n', 'vera@example.com', 2, 1, 1);
    INSERT INTO rate_limits (key, points, expire) VALUES ('form-posts:192.0.2.1', 3, 9);
    INSERT INTO server_secrets (name, value) VALUES ('form-stamps', 'secret'), ('devices', 'other');
  `);

  migrate(db);

  expect(db.select().from(sessions).all()).toMatchObject([
    { tokenHash: 'hash', id: 's', signedInAt: 2, lastSeenAt: 3 },
  ]);
  expect(db.select().from(pendingIdentityLinks).all()).toMatchObject([
    { tokenHash: 'link', subject: 'sub', userId: 'u' },
  ]);
  // This table is a cache, which a later migration empties.
  expect(db.select().from(blogPostBodies).all()).toEqual([]);
  expect(db.select().from(savedEntries).all()).toMatchObject([
    { tokenHash: 'entries', entries: { name: 'Vera' }, issues: [{ path: 'email' }] },
  ]);
  expect(db.select().from(idempotencyKeys).all()).toMatchObject([{ key: 'key', bodyHash: 'body' }]);
  expect(db.select().from(emailSuppressions).all()).toMatchObject([{ email: 'bob@example.com' }]);
  expect(db.select().from(contactSubmissions).all()).toMatchObject([
    { id: 'c', spamSignals: ['many links'] },
  ]);
  expect(db.select().from(careerInquiries).all()).toMatchObject([{ id: 'i', spamSignals: null }]);
  expect(db.select().from(subscriptions).all()).toMatchObject([
    { id: 'n', confirmationEmailsSent: 2 },
  ]);
  expect(db.select().from(rateLimits).all()).toMatchObject([{ count: 3, expiresAt: 9 }]);
  expect(db.select().from(serverSecrets).orderBy(serverSecrets.name).all()).toEqual([
    { name: 'devices', value: 'other' },
    { name: 'form-tokens', value: 'secret' },
  ]);
  db.$client.exec("DELETE FROM users WHERE id = 'u'");
  expect(db.select().from(pendingIdentityLinks).all()).toEqual([]);
});

test('indexes titles in scripts without spaces again, character by character', () => {
  const db = openFile();
  migrate(db, versionOf('0026_drafts_outlive_posts'));
  db.$client.exec(`
    INSERT INTO blog_posts (id, slug, title, excerpt, content, published, author_email, created_at, updated_at)
      VALUES ('1', 'a', '東京の会議', 'x', 'x', 1, '', 1, 1), ('2', 'b', 'Tokyo', 'ค้นหา', 'x', 1, '', 1, 1);
    INSERT INTO blog_post_bodies (post_id, pipeline_version, words, is_rich, text)
      VALUES ('1', 1, 1, 0, 'x'), ('2', 1, 1, 0, 'x');`);
  migrate(db);
  const find = db.$client.prepare<[string], string>(
    `SELECT post_id FROM blog_search JOIN blog_search_posts ON id = blog_search.rowid
    WHERE blog_search MATCH ?`,
  );
  expect(find.pluck().all('"会\u200b議"')).toEqual(['1']);
  expect(find.pluck().all('"ห\u200bา"')).toEqual(['2']);
  expect(find.pluck().all('tokyo')).toEqual(['2']);
});
