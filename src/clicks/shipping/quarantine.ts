import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Row } from './rows.ts'

export type RefusedRow = { row: Row; reason: string }

/** Limits the search: beyond this many single rows, a refused part is quarantined as a whole. */
const MAX_SINGLE_ROWS = 100

/**
 * Finds refused rows by bisection. Accepted parts are stored on the way.
 * @param offer resolves when the rows are stored; throws {@link Refusal} when they are refused; any other
 * error ends the search
 * /
 */
export async function findRefusedRows(
  rows: readonly Row[],
  offer: (rows: readonly Row[]) => Promise<void>,
): Promise<RefusedRow[]> {
  const refused: RefusedRow[] = []
  const parts: (readonly Row[])[] = [rows]
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    try {
      await offer(part)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (part.length === 1 || refused.length >= MAX_SINGLE_ROWS) {
        for (const row of part) refused.push({ row, reason: error.message })
        continue
      }
      const half = part.length >> 1
      parts.push(part.slice(half), part.slice(0, half))
    }
  }
  return refused
}

/** ClickHouse refused rows, for a reason other than its own state or the network. */
export class Refusal extends Error {
  override name = 'Refusal'
}

/** Written whole, one file per segment, so that a repeated search after a crash gives the same file. */
export async function quarantine(
  folder: string,
  segment: string,
  refused: readonly RefusedRow[],
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${segment}.jsonl`)
  const lines = refused.map(({ row, reason }) => {
    const clickId = row.fields.click_id
    return `${JSON.stringify({ segment, clickId, reason, row: row.line })}\n`
  })
  await writeFile(`${file}.tmp`, lines.join(''), { mode: 0o600, flush: true })
  await rename(`${file}.tmp`, file)
}
