import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../core/errors.ts'
import { collectLines, describeEnd, waitForEnd } from './engine-process.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { giveTo, openDataPath, type PostgresUser, readUserName } from './postgres-user.ts'
import { REQUEST_ROLE, WORKER_ROLE } from '../postgres/roles.ts'

/** Nothing of the program's environment, which contains secrets. */
export const POSTGRES_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

type PostgresSetup = {
  dataDir: string
  binaries: PostgresBinaries
  user: PostgresUser | null
  signal: AbortSignal
}

/** Made under a draft name and renamed, so that a directory with the final name is complete. */
export async function initialize(folder: string, setup: PostgresSetup): Promise<void> {
  const draft = mkdtempSync(join(folder, 'draft-'))
  try {
    giveTo(setup.user, draft)
    const inDraft = { ...setup, dataDir: draft }
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin']
    const settings = ['-U', SUPERUSER, '--auth=reject', ...locale, '--builtin-locale=C.UTF-8']
    await runToEnd(inDraft, 'initdb', [...settings, '--no-instructions'], '')
    // With `-j` a statement ends at a semicolon before an empty line; by default an error would not end the program.
    const singleUser = ['-j', '-c', 'exit_on_error=on', 'postgres']
    await runToEnd(inDraft, 'postgres', singleUser, MAKE_DATABASE)
    renameSync(draft, setup.dataDir)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true, maxRetries: 5 })
    throw error
  }
}

export function removeDrafts(folder: string): void {
  for (const entry of readdirSync(folder)) {
    if (entry.startsWith('draft-'))
      rmSync(join(folder, entry), { recursive: true, force: true, maxRetries: 5 })
  }
}

export function refuseOtherOwner(dataDir: string, user: PostgresUser | null): void {
  const { uid } = statSync(dataDir)
  const wanted = user?.uid ?? process.getuid?.()
  if (wanted === undefined || uid === wanted) return
  const gid = user?.gid ?? process.getgid?.()
  throw new OperatorError(
    `The PostgreSQL data in ${dataDir} belongs to uid ${uid}, and PostgreSQL runs as uid ${wanted} here: run "chown -R ${wanted}:${gid} ${dataDir}" (a copy keeps its owner with "cp -a").`,
  )
}

async function runToEnd(
  { dataDir, binaries, user, signal }: PostgresSetup,
  program: 'initdb' | 'postgres',
  args: readonly string[],
  input: string,
): Promise<void> {
  signal.throwIfAborted()
  using data = openDataPath(dataDir, user)
  const mode = program === 'postgres' ? ['--single'] : []
  const child = spawn(join(binaries.bin, program), [...mode, '-D', data.path, ...args], {
    ...user,
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'pipe', ...data.stdio],
  })
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  const lines = collectLines(child, () => {})
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const end = await waitForEnd(child)
  signal.removeEventListener('abort', stop)
  // Ctrl-C reaches the child too, which then fails before it is stopped.
  signal.throwIfAborted()
  if (child.exitCode !== 0)
    throw new OperatorError(
      `The embedded PostgreSQL could not be set up (${describeEnd(end, lines)}); set DATABASE_URL to use another one.`,
    )
}

/**
 * SUPERUSER acts only in single-user mode: no rule admits it. LOGIN owns the database, and may become
 * signpost_request and signpost_worker.
 */
export const SUPERUSER = 'signpost'
const DATABASE = 'signpost'
export const LOGIN = 'signpost_owner'

const MAKE_DATABASE = [
  `create role ${REQUEST_ROLE}`,
  `create role ${WORKER_ROLE}`,
  `create role ${LOGIN} login`,
  `grant ${REQUEST_ROLE}, ${WORKER_ROLE} to ${LOGIN}`,
  `create database ${DATABASE} owner ${LOGIN}`,
]
  .map((statement) => `${statement};\n\n`)
  .join('')

export function loginUrl(socketDir: string, port: number): string {
  return `postgres://${LOGIN}@localhost:${port}/${DATABASE}?host=${encodeURIComponent(socketDir)}`
}

/**
 * The system user of the program, and root, as the kernel names them. Not in PostgreSQL's own directory, where root
 * could be led to write through a link.
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
