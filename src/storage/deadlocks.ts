const DEADLOCK = '40P01'
const ATTEMPTS = 5

/**
 * Repeats a transaction that PostgreSQL ended because it and another one waited for each other: the other
 * one goes on, so the next attempt waits for it and succeeds.
 */
export async function retryDeadlocks<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await transaction()
    } catch (error) {
      if ((error as { code?: unknown }).code !== DEADLOCK || attempt === ATTEMPTS) throw error
    }
}
