import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clickIdOf } from './rows.ts'

/** A row that ClickHouse will never take, and what it said. Rows hold no address. */
export type Poison = { line: string; reason: string }

/** Past this many single rows, a refused piece is set aside whole, so that the search stays short. */
const MOST_SINGLE_ROWS = 100

/**
 * Finds the rows that are refused by halving: what is accepted on the way is stored.
 * @param offer resolves when the lines are stored; throws {@link Refusal} when they are refused,
 *   anything else ends the search
 */
export async function bisect(
  lines: readonly string[],
  offer: (lines: readonly string[]) => Promise<void>,
): Promise<Poison[]> {
  const poison: Poison[] = []
  const pieces: (readonly string[])[] = [lines]
  for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
    try {
      await offer(piece)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (piece.length === 1 || poison.length >= MOST_SINGLE_ROWS) {
        for (const line of piece) poison.push({ line, reason: error.message })
        continue
      }
      const half = piece.length >> 1
      pieces.push(piece.slice(half), piece.slice(0, half))
    }
  }
  return poison
}

/** ClickHouse read the rows and said no, for a reason that is not its own state or the network. */
export class Refusal extends Error {
  override name = 'Refusal'
}

/**
 * Sets rows aside for the operator, one JSON line each: `{segment, clickId, reason, row}`. One file
 * per segment, written whole, so that finding the same rows again after a crash changes nothing.
 */
export async function setAside(folder: string, segment: string, poison: Poison[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${segment}.jsonl`)
  const text = poison.map(({ line, reason }) => {
    const clickId = clickIdOf(line)
    return `${JSON.stringify({ segment, clickId, reason, row: line.trimEnd() })}\n`
  })
  await writeFile(`${file}.tmp`, text.join(''), { mode: 0o600, flush: true })
  await rename(`${file}.tmp`, file)
}
