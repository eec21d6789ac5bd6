/** Each attempt renews one statement of one connection, and a pool has some dozens of them. */
const ATTEMPTS = 100

/**
 * Repeats a transaction that PostgreSQL refused because a prepared statement would return other columns than before: a
 * migration of the next release, which runs beside this one during an upgrade, has added some. The driver prepares the
 * statement again, but the transaction has failed by that time.
 */
export async function repeatWithNewPlans<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await transaction()
    } catch (error) {
      const { routine } = error as { routine?: unknown }
      if (routine !== 'RevalidateCachedQuery' || attempt === ATTEMPTS) throw error
    }
}
