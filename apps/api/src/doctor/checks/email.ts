import { randomUUID } from 'node:crypto';
import { company } from '@app/site/company';
import { lazyTransporter } from '../../email/mime-message.ts';
import { withoutCredentials } from '../../email/smtp-credentials.ts';
import { reasonOf } from '../../email/transport.ts';
import { createTransport } from '../../email/transports.ts';
import { type DeploymentCheck, failure, ok, skipped, warning } from '../check.ts';
import { isLocal } from '../local-server.ts';

/** Logs in to the SMTP server. For Resend, there is no harmless request that every key allows. */
export const emailProvider: DeploymentCheck = {
  name: 'email',
  needs: 'settings',
  seconds: 10,
  async run({ env }) {
    const { email, publicUrl } = env;
    switch (email.transport) {
      case 'files':
        return isLocal(publicUrl)
          ? [ok('Emails are files in DATA_DIR/mail.')]
          : [
              warning(
                'No email provider is set: emails are only written to DATA_DIR/mail.',
                'Set MAIL_FROM, and RESEND_API_KEY or SMTP_URL.',
              ),
            ];
      case 'resend':
        return [
          ok('Resend sends the emails. Try it with `pnpm cli doctor --send-email <address>`.'),
        ];
      case 'smtp':
        return [await loginTo(email.url)];
    }
  },
};

const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 5_000 };

async function loginTo(url: string) {
  const { hostname } = new URL(url);
  const transporter = await lazyTransporter({ url, ...timeouts })();
  try {
    await transporter.verify();
    return ok(`The SMTP server ${hostname} accepts the login.`);
  } catch (error) {
    const reason = reasonOf(error, (text) => withoutCredentials(text, url));
    return failure(
      `The login to the SMTP server ${hostname} failed (${reason}).`,
      'Check SMTP_URL: smtps:// is for port 465, smtp:// for 587. Special characters in the password must be percent-encoded. Some hosts block port 25.',
    );
  } finally {
    transporter.close();
  }
}

/** Sends an email like the server, but without the queue. */
export const testEmail = (to: string): DeploymentCheck => ({
  name: 'test email',
  needs: 'settings',
  seconds: 60,
  async run({ env, clock }) {
    const text = `This is a test email from ${env.publicUrl}. If you can read it, the site can send emails.`;
    const result = await createTransport(env).send({
      ...{ id: randomUUID(), kind: 'doctor', to, replyTo: null, headers: null },
      subject: `Test email of ${company.name}`,
      ...{ text, html: `<p>${text}</p>` },
      ...{ state: 'queued', attempts: 0, nextAttemptAt: 0, lastError: null, sentAt: null },
      createdAt: clock.now(),
    });
    if (result.outcome === 'sent') {
      return [
        env.email.transport === 'files'
          ? skipped('No email provider is set, so the email is a file in DATA_DIR/mail.')
          : ok('The provider accepted the email. Check that it arrives, and not as spam.'),
      ];
    }
    return [
      failure(
        `The email was not accepted (${result.reason.replaceAll(to, '…')}).`,
        'Check MAIL_FROM, which the provider has to allow, and the key or password.',
      ),
    ];
  },
});
