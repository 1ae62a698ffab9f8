import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { randomFrom } from '@app/api/src/testing/random-from.ts';
import { temporaryFolder } from '../../support/site-process.ts';
import type { Fault } from '../fault.ts';
import { checkFiles, checkStored, expectRecovery, settle } from '../servers/checks.ts';
import { startDeployment, whyNoDeployment } from '../servers/deployment.ts';
import { Load } from '../servers/load.ts';
import { runLoad } from '../servers/run-load.ts';
import { causeFaults, plan } from '../servers/schedule.ts';

export const servers: Fault = {
  name: 'servers',
  about: 'kill -9 of three servers behind Caddy and of their database server, under mixed load',
  unit: 'seconds',
  amount: 300,
  min: 5,
  isSeeded: true,
  async run(seconds, findings, seed = randomInt(2 ** 31)) {
    if (whyNoDeployment) throw new Error(whyNoDeployment);
    findings.set('seed', seed);
    const planned = plan(seconds, randomFrom(seed));
    using folder = temporaryFolder();
    await using deployment = await startDeployment(folder.path, findings);
    findings.progress(`${planned.length} faults are planned, --seed=${seed}`);
    let isOver = false;
    const load = await Load.create({ deployment, findings, isOver: () => isOver });
    async function causeAll(): Promise<void> {
      await Promise.all([causeFaults(planned, deployment, findings), pause(seconds * 1_000)]);
      await expectRecovery(findings);
      isOver = true;
    }
    await Promise.all([runLoad(load), causeAll()]);
    findings.progress('the load has ended');
    await settle(deployment, findings);
    findings.progress('everything has been sent and published');
    await checkFiles(deployment, load, findings);
    findings.progress('the files have been checked');
    await checkStored(deployment, load, findings);
  },
};
