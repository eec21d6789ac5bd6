import assert from 'node:assert/strict'

/** Ten times what a quiet machine needs: only a test that fails waits for so long. */
const TIMEOUT_MS = 120_000

/** Repeats `check` until it passes, for at most `timeoutMs`; then the last failure is thrown. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  timeoutMs = TIMEOUT_MS,
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

/** Polls until `isTrue`, for as long as {@link eventually}. */
export async function until(isTrue: () => boolean, what = 'the condition holds'): Promise<void> {
  await eventually(() => assert.ok(isTrue(), `not in time: ${what}`), TIMEOUT_MS, 5)
}
