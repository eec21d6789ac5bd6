import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REQUEST_ROLE, WORKER_ROLE } from '../postgres/roles.ts'
import { readUserName } from './postgres-user.ts'

/**
 * Roles of the embedded PostgreSQL:
 *
 *   signpost         the superuser that initdb makes. No rule admits it: it acts only in single-user
 *                    mode, before the server starts.
 *   signpost_owner   the login of every connection. It owns the database and its objects, and may
 *                    become signpost_request and signpost_worker and no other role.
 */
export const SUPERUSER = 'signpost'
const DATABASE = 'signpost'
export const LOGIN = 'signpost_owner'

/** Statements of the superuser for a new data directory: the roles, and the database of the login. */
export const MAKE_DATABASE = [
  `create role ${REQUEST_ROLE}`,
  `create role ${WORKER_ROLE}`,
  `create role ${LOGIN} login`,
  `grant ${REQUEST_ROLE}, ${WORKER_ROLE} to ${LOGIN}`,
  `create database ${DATABASE} owner ${LOGIN}`,
]

/** Address of the server whose socket is in `socketDir`. */
export function loginUrl(socketDir: string, port: number): string {
  return `postgres://${LOGIN}@localhost:${port}/${DATABASE}?host=${encodeURIComponent(socketDir)}`
}

/**
 * Writes the rules of who may connect: the operating system's user that runs the program, and root,
 * as the kernel names them, as the login and to its database alone. The files are in the program's
 * directory, not in PostgreSQL's, where a program of root could be led to write through a link.
 */
export function writeRules(runtimeDir: string): { hba_file: string; ident_file: string } {
  const hba_file = join(runtimeDir, 'pg_hba.conf')
  const ident_file = join(runtimeDir, 'pg_ident.conf')
  writeFileSync(hba_file, `local ${DATABASE} ${LOGIN} peer map=signpost\n`, { mode: 0o644 })
  const names = new Set([readUserName(), 'root'])
  const rules = [...names].map((name) => `signpost "${name}" ${LOGIN}\n`)
  writeFileSync(ident_file, rules.join(''), { mode: 0o644 })
  return { hba_file, ident_file }
}
