import { type DeploymentCheck, failure, ok, skipped, warning } from '../check.ts';

/** Links, sessions and signed requests of providers allow for less. */
const maxSkew = 60_000;

/** The server's own clock is this machine's, so a configured service has to tell the time. */
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
        skipped('No service over https is configured that tells the time: see `timedatectl`.'),
      ];
    }
    const { host } = new URL(url);
    const reply = await network.get(url, signal).catch(() => null);
    const serverTime = Date.parse(reply?.headers.date ?? '');
    if (Number.isNaN(serverTime)) {
      return [
        warning(
          `${host} does not answer, so the clock was not compared.`,
          'Check that this machine reaches the internet, and the clock with `timedatectl`.',
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
