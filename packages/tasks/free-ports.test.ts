import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { developmentPorts, requireFree } from './free-ports.mjs';

test('the site takes PORT, the API the next one', () => {
  expect(developmentPorts(undefined)).toEqual({ site: 4321, api: 4322 });
  expect(developmentPorts('')).toEqual({ site: 4321, api: 4322 });
  expect(developmentPorts('5000')).toEqual({ site: 5000, api: 5001 });
});

test.each(['http', '0', '-1', '65535', '4321.5'])('PORT=%s is refused', (setting) => {
  expect(() => developmentPorts(setting)).toThrow(
    `PORT ${setting} is not a port: set it to a whole number from 1 to 65534`,
  );
});

test.each(['127.0.0.1', '::1', '0.0.0.0'])('a port in use on %s is refused', async (host) => {
  const other = createServer().listen(0, host);
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  await expect(requireFree(port, 'the site')).rejects.toThrow(
    `Port ${port}, for the site, is in use: stop the other program, or set PORT`,
  );
  other.close();
  await once(other, 'close');
  await expect(requireFree(port, 'the site')).resolves.toBeUndefined();
});
