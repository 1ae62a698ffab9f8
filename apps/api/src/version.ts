import packageJson from '../../../package.json' with { type: 'json' };

/** The version of the whole program, as in docs/CHANGELOG.md (semver.org). */
export const { version } = packageJson;
