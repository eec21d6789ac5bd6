import { inSavepoint, type Tx } from '../../storage/postgres.ts'
import { refusalOf } from '../../storage/statement-parts.ts'
import { isExternalIdTaken, SLUG_TAKEN } from './slugs.ts'

/** Another transaction takes an address or an externalId between look-up and write; each attempt knows all earlier ones. */
const MAX_ATTEMPTS = 8

/**
 * Writes the rows whose addresses and externalIds are free, all of them in one savepoint. If another
 * transaction takes one of these in between, the rows are looked up and written again.
 * @param refuseTaken returns the rows that may be written, and sets the outcomes of the others
 * @param write fails with {@link SLUG_TAKEN} unless every address was free
 */
export async function writeUntaken<Row>(
  tx: Tx,
  rows: readonly Row[],
  refuseTaken: (rows: readonly Row[]) => Promise<Row[]>,
  write: (part: Tx, rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  let candidates = rows
  for (let attempt = 1; ; attempt++) {
    const free = await refuseTaken(candidates)
    if (free.length === 0) return
    try {
      return await inSavepoint(tx, (part) => write(part, free))
    } catch (error) {
      const isRace = refusalOf(error) === SLUG_TAKEN || isExternalIdTaken(error)
      if (!isRace || attempt === MAX_ATTEMPTS) throw error
    }
    candidates = free
  }
}
