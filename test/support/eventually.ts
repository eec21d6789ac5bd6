/** Asks until `check` passes, for at most `timeoutMs`; then the last failure is the test's. */
export async function eventually<T>(
  check: () => Promise<T>,
  timeoutMs = 30_000,
  everyMs = 50,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }
}
