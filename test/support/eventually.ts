import assert from 'node:assert/strict'

/** Repeats `check` until it passes, for at most `timeoutMs`; then the last failure is thrown. */
export async function eventually<T>(
  check: () => T | Promise<T>,
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

/** Polls until `isTrue`, for at most 20 s. */
export async function until(isTrue: () => boolean, what = 'the condition holds'): Promise<void> {
  await eventually(() => assert.ok(isTrue(), `not within 20 s: ${what}`), 20_000, 5)
}
