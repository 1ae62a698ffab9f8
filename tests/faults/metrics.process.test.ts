import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';

const metricsOf = async (site: SiteProcess, init?: RequestInit): Promise<string> => {
  const response = await fetch(`${site.url}/api/metrics`, init);
  return `${response.status}\n${await response.text()}`;
};

test('metrics cover published files, requests and the process, in names that Prometheus accepts', async ({
  skip,
}) => {
  using folder = temporaryFolder();
  await using site = await SiteProcess.start({ dataDir: folder.path });
  for (const encoding of ['br', 'gzip', 'identity']) {
    await fetch(`${site.url}/about`, { headers: { 'Accept-Encoding': encoding } });
  }
  await fetch(`${site.url}/api/posts`);
  const text = await metricsOf(site);

  expect(text).toMatch(/^200\n/);
  for (const encoding of ['br', 'gzip', 'identity']) {
    expect(text).toContain(`http_file_responses_total{encoding="${encoding}",status="200"} 1\n`);
  }
  expect(text).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/posts",status="2xx"} 1\n',
  );
  for (const name of [
    'process_resident_memory_bytes',
    'process_open_fds',
    'nodejs_eventloop_lag_p99_seconds',
    'site_database_size_bytes',
    'site_disk_free_bytes',
  ]) {
    expect(text).toMatch(new RegExp(`^${name} [\\d.e-]+$`, 'm'));
  }

  const input = text.replace('200\n', '');
  const { error, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input,
    encoding: 'utf8',
  });
  if (error) return skip('promtool is not installed (Debian: apt install prometheus)');
  // Some of prom-client's gauges for Node end in _total.
  const own = stderr.split('\n').filter((line) => line && !line.startsWith('nodejs_active_'));
  expect(own).toEqual([]);
});

test('metrics are available only to programs on this machine, or with METRICS_TOKEN', async () => {
  using folder = temporaryFolder();
  const proxied = { headers: { 'X-Forwarded-For': '127.0.0.1' } };
  {
    await using site = await SiteProcess.start({
      dataDir: folder.path,
      env: { TRUST_PROXY: '127.0.0.1, ::1' },
    });
    expect(await metricsOf(site)).toMatch(/^200\n/);
    expect(await metricsOf(site, proxied)).toMatch(/^403\n/);
  }
  const token = 'f'.repeat(32);
  await using site = await SiteProcess.start({
    dataDir: folder.path,
    env: { METRICS_TOKEN: token },
  });
  expect(await metricsOf(site)).toMatch(/^403\n/);
  const headers = { ...proxied.headers, Authorization: `Bearer ${token}` };
  expect(await metricsOf(site, { headers })).toMatch(/^200\n/);
});
