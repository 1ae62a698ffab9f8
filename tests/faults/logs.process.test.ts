import { expect, test } from 'vitest';
import { EmailProvider } from '../support/email-provider.ts';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';

const email = 'zoe.quillfeather@personal.example';

const signUp = (site: SiteProcess) =>
  fetch(`${site.url}/api/auth/sign-up`, {
    method: 'POST',
    headers: { Origin: site.url, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: 'pelican-umbrella-37' }),
  });

test('with an email provider, neither links nor addresses are logged', async () => {
  using folder = temporaryFolder();
  await using provider = await EmailProvider.start();
  await using site = await SiteProcess.start({
    dataDir: folder.path,
    env: {
      RESEND_API_KEY: 're_secret_key',
      RESEND_BASE_URL: provider.url,
      MAIL_FROM: 'hello@fieldlight.example',
      LOG_LEVEL: 'debug',
    },
  });
  expect((await signUp(site)).status).toBe(202);
  const sent = await site.logged('email sent');
  await site.stop();

  const [delivery] = provider.delivered;
  const token = /token=([\w-]+)/.exec(delivery?.text ?? '')?.[1] ?? 'no token';
  expect(sent).toMatchObject({ kind: expect.any(String), providerId: 'provider-0' });
  expect(delivery?.to).toBe(email);
  expect(token).toHaveLength(43);
  const log = JSON.stringify(site.log);
  for (const secret of [token, email, 'pelican', 're_secret_key', '@']) {
    expect(log).not.toContain(secret);
  }
});

test('without an email provider, the links of emails are logged for development', async () => {
  using folder = temporaryFolder();
  await using site = await SiteProcess.start({ dataDir: folder.path });
  expect((await signUp(site)).status).toBe(202);
  const { links, file } = await site.logged('email sent');
  await site.stop();

  expect(links).toEqual([expect.stringMatching(`^${site.url}/auth/confirm\\?token=[\\w-]{43}$`)]);
  expect(file).toMatch(/\.eml$/);
  expect(JSON.stringify(site.log)).not.toContain(email);
});
