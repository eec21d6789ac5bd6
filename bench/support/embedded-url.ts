import { join } from 'node:path'
import { loginUrl } from '../../src/platform/storage/embedded/postgres-setup.ts'
import { findRuntimeDir } from '../../src/platform/storage/embedded/runtime-dir.ts'

/** Part of the name of the socket of the embedded PostgreSQL. */
const PORT = 5432

/** The address of the embedded PostgreSQL of a program that runs, for the login that owns the tables. */
export function toEmbeddedUrl(dataDir: string): string {
  return loginUrl(join(findRuntimeDir(dataDir)!, 'postgres'), PORT)
}
