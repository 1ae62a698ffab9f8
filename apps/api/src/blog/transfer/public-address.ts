import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether an address is on the public Internet: not private, loopback, link-local or reserved. */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'unicast';
