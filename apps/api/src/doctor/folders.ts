import { join } from 'node:path';
import { ownDatabaseFile, replicaFile } from '../database-files.ts';
import { dataDirOf, isDatabaseShared } from '../env.ts';
import type { FolderContext } from './check.ts';

/** Also works if other settings are invalid. */
export function foldersOf(
  environment: Readonly<Record<string, string | undefined>> | undefined,
): Pick<FolderContext, 'dataDir' | 'databaseFile'> {
  const dataDir = dataDirOf(environment);
  const name = isDatabaseShared(environment) ? replicaFile : ownDatabaseFile;
  return { dataDir, databaseFile: join(dataDir, name) };
}
