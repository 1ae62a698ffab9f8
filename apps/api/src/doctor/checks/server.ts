import { healthReply } from '@app/contract/health';
import * as v from 'valibot';
import { counted } from '../../cli/table.ts';
import { type DeploymentCheck, failure, ok, warning } from '../check.ts';
import { codeOf, localUrl } from '../local-server.ts';

export const server: DeploymentCheck = {
  name: 'server',
  needs: 'settings',
  async run({ env, network }, signal) {
    const url = localUrl(env);
    const reply = await network.get(`${url}/api/health`, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return codeOf(error);
    });
    if (typeof reply === 'string') {
      return [
        failure(
          `No server answers on ${url} (${reply}).`,
          'Start it (`systemctl start site`, or `npm start`) with the same PORT and HOST. Its log says why it stopped.',
        ),
      ];
    }
    if (reply.status === 503) {
      return [
        failure(
          'The server is still starting, or has no pages to serve.',
          'Wait until it has rendered the pages. If this persists, its log says why.',
        ),
      ];
    }
    const health = v.safeParse(v.pipe(v.string(), v.parseJson(), healthReply), reply.body);
    if (!health.success) {
      return [
        failure(
          `Another program, or another version, answers on ${url}.`,
          'Set PORT to the port of the server, and restart the server after an update.',
        ),
      ];
    }
    const { problems, versions } = health.output;
    if (problems.length > 0) {
      return [
        warning(
          `The server reports ${counted(problems.length, 'problem')}: ${problems.join(' ')}`,
          'See its log for the cause.',
        ),
      ];
    }
    return [ok(`The server answers on ${url} (build ${versions.build}, Node ${versions.node}).`)];
  },
};
