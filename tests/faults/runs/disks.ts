import { failDisk, troubles } from '../disks/fail-disk.ts';
import { parts } from '../disks/mount-all.ts';
import type { Fault } from '../fault.ts';

export const disks: Fault = {
  name: 'disks',
  about: 'the disk of the database, uploads, site or email is full or read-only',
  unit: 'count',
  amount: 5,
  min: 1,
  async run(rounds, findings) {
    for (let round = 0; round < rounds; round += 1) {
      for (const part of parts) {
        for (const trouble of troubles) {
          findings.progress(`${round + 1} of ${rounds}: ${part} ${trouble}`);
          await failDisk(part, trouble, findings);
        }
      }
    }
  },
};
