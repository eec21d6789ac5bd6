import { writeInWorkspace, type Fragment, type TenantSql, type Tx } from './postgres.ts'

/**
 * A part of a statement: several rules that write in one transaction without the results of each other
 * are sent as one statement, which the server parses and plans once and which takes one message. Each
 * rule keeps its SQL in its own file.
 */
export type Part = {
  /** Common table expressions, separated by commas; their names are unique within the statement. */
  ctes: Fragment
  /** Columns of the one row of the result, which read the expressions. Those that a rule reads have unique names. */
  columns: Fragment
  /** Receives that row once the statement has succeeded; notices that it adds are sent after the commit. */
  settle?: (tx: Tx, row: PartsRow) => void
}

export type PartsRow = Readonly<Record<string, unknown>>

/** SQLSTATE of the function `refuse`. */
const REFUSED = 'SP001'

/** Runs the parts as one statement of an open transaction. */
export async function runParts(tx: Tx, parts: readonly Part[]): Promise<PartsRow> {
  const [row] = await toStatement(tx, parts)
  for (const { settle } of parts) settle?.(tx, row!)
  return row!
}

/** Runs the parts as one statement in a transaction of its own, in one round trip. */
export function writeParts(
  sql: TenantSql,
  workspaceId: string,
  toParts: (tx: Tx) => readonly Part[],
): Promise<PartsRow> {
  let parts: readonly Part[] = []
  return writeInWorkspace(
    sql,
    workspaceId,
    (tx) => toStatement(tx, (parts = toParts(tx))),
    (tx, [row]) => {
      for (const { settle } of parts) settle?.(tx, row!)
      return row!
    },
  )
}

/** A column that aborts the statement unless the condition holds; see {@link refusalOf}. */
export function requires(tx: Tx, condition: Fragment, reason: string): Fragment {
  return tx`case when ${condition} then true else refuse(${reason}) end`
}

/** The reason of {@link requires} if it made the statement fail; null for any other error. */
export function refusalOf(error: unknown): string | null {
  const { code, message } = error as { code?: string; message?: string }
  return code === REFUSED ? message! : null
}

function toStatement(tx: Tx, parts: readonly Part[]) {
  const list = (pick: (part: Part) => Fragment) =>
    parts.map(pick).reduce((before, next) => tx`${before}, ${next}`)
  return tx<PartsRow[]>`
    with ${list(({ ctes }) => ctes)} select ${list(({ columns }) => columns)}`
}
