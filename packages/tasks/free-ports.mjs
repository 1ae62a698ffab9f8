import { once } from 'node:events';
import { createServer } from 'node:net';
import { Failure } from './failure.mjs';

/**
 * The port to develop on, from the setting PORT; the API takes the next one.
 * @param {string | undefined} setting
 */
export const developmentPorts = (setting) => {
  const site = setting ? Number(setting) : 4321;
  if (!Number.isInteger(site) || site < 1 || site > 65_534) {
    throw new Failure(
      `PORT ${setting} is not a port: set it to a whole number from 1 to 65534, such as 4321. The API takes the next one.`,
    );
  }
  return { site, api: site + 1 };
};

/**
 * Makes sure that nothing listens on a port of this machine yet.
 * @param {number} port
 * @param {string} what would listen there, for the message
 */
export const requireFree = async (port, what) => {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer().listen(port, host);
    try {
      await once(server, 'listening');
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      // A machine may be without IPv6.
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') continue;
      throw new Failure(
        code === 'EADDRINUSE'
          ? `Port ${port}, for ${what}, is in use: stop the other program, or set PORT to a port that is free together with the next one.`
          : `Port ${port}, for ${what}, cannot be used (${code}): set PORT to another one.`,
      );
    }
    server.close();
    await once(server, 'close');
  }
};
