import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../core/errors.ts'
import { collectLines, describeEnd, waitForEnd } from './child.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { MAKE_DATABASE, SUPERUSER } from './postgres-logins.ts'
import { giveTo, openDataPath, type PostgresUser } from './postgres-user.ts'

/** Engines get no variable of the program's environment, which contains secrets. */
export const POSTGRES_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** A data directory, the programs for it, and the user that they run as. */
export type PostgresSetup = {
  dataDir: string
  binaries: PostgresBinaries
  user: PostgresUser | null
  signal: AbortSignal
}

/**
 * Makes the data directory, with the database and its login, under a draft's name in `folder` and
 * renames it, so that a directory with the final name is complete.
 * @throws OperatorError when a program of PostgreSQL fails, and the signal's reason when it is aborted
 */
export async function initialize(folder: string, setup: PostgresSetup): Promise<void> {
  const draft = mkdtempSync(join(folder, 'draft-'))
  try {
    giveTo(setup.user, draft)
    const inDraft = { ...setup, dataDir: draft }
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin']
    const settings = ['-U', SUPERUSER, '--auth=reject', ...locale, '--builtin-locale=C.UTF-8']
    await runToEnd(inDraft, 'initdb', [...settings, '--no-instructions'], '')
    await runSingleUser(inDraft, 'postgres', MAKE_DATABASE)
    renameSync(draft, setup.dataDir)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true, maxRetries: 5 })
    throw error
  }
}

/** Removes drafts of starts that were interrupted. */
export function removeDrafts(folder: string): void {
  for (const entry of readdirSync(folder)) {
    if (entry.startsWith('draft-'))
      rmSync(join(folder, entry), { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * Refuses data of another user, which PostgreSQL would not open: a copy made by root without `-a`.
 * @throws OperatorError with the command that helps
 */
export function refuseOtherOwner(dataDir: string, user: PostgresUser | null): void {
  const { uid } = statSync(dataDir)
  const wanted = user?.uid ?? process.getuid?.()
  if (wanted === undefined || uid === wanted) return
  const gid = user?.gid ?? process.getgid?.()
  throw new OperatorError(
    `The PostgreSQL data in ${dataDir} belongs to uid ${uid}, and PostgreSQL runs as uid ${wanted} here: run "chown -R ${wanted}:${gid} ${dataDir}" (a copy keeps its owner with "cp -a").`,
  )
}

/** Runs statements as the superuser, each in a transaction, without a server to connect to. */
async function runSingleUser(
  setup: PostgresSetup,
  database: string,
  statements: readonly string[],
): Promise<void> {
  // With `-j` a semicolon before an empty line ends a statement; an error does not end the program.
  const args = ['-j', '-c', 'exit_on_error=on', database]
  const input = statements.map((statement) => `${statement};\n\n`).join('')
  await runToEnd(setup, 'postgres', args, input)
}

/** Runs a program on the data directory until it ends; an abort ends it. */
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
  // Ctrl-C reaches the child as well, which then fails before it is stopped.
  signal.throwIfAborted()
  if (child.exitCode !== 0)
    throw new OperatorError(
      `The embedded PostgreSQL could not be set up (${describeEnd(end, lines)}); set DATABASE_URL to use another one.`,
    )
}
