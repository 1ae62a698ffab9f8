import { type DeploymentCheck, failure, ok, skipped, warning } from '../check.ts';

/** In milliseconds. More can break links, sessions and signed requests of providers. */
const maxSkew = 60_000;

/** Compares the clock with a configured service, because the server has the same clock. */
export const clockSkew: DeploymentCheck = {
  name: 'clock',
  needs: 'settings',
  async run({ env, network, clock }, signal) {
    const url =
      env.email.transport === 'resend'
        ? (env.email.baseUrl ?? 'https://api.resend.com')
        : env.google?.issuer;
    if (url === undefined) {
      return [
        skipped('No https service is configured to compare the clock with: see `timedatectl`.'),
      ];
    }
    const { host } = new URL(url);
    const reply = await network.get(url, signal).catch(() => null);
    const serverTime = Date.parse(reply?.headers.date ?? '');
    if (Number.isNaN(serverTime)) {
      return [
        warning(
          `${host} does not answer, so the clock was not compared.`,
          'Check that this machine can reach the internet, and check the clock with `timedatectl`.',
        ),
      ];
    }
    const skew = clock.now() - serverTime;
    const seconds = Math.round(Math.abs(skew) / 1_000);
    if (Math.abs(skew) <= maxSkew) return [ok(`The clock agrees with ${host}.`)];
    return [
      failure(
        `The clock is ${seconds} seconds ${skew > 0 ? 'ahead' : 'behind'}, compared with ${host}.`,
        'Turn on synchronization: `timedatectl set-ntp true`.',
      ),
    ];
  },
};
