import { invalid } from '../../platform/core/errors.ts'
import { ThreadPool } from '../../platform/work/thread-pool.ts'

export const PASSWORD_MIN_CHARS = 10
export const PASSWORD_MAX_CHARS = 256
const MAX_BYTES = 1_024

/** Passwords that take fewer guesses are refused. */
const MIN_GUESSES = 1.5e8
/** The estimator takes time quadratic in the length, and a weak password has a weak beginning. */
const MAX_ESTIMATED_CHARS = 40

/** One for the process, since its dictionaries take 60 MB; it ends five seconds after the last new password. */
const estimator = new ThreadPool<string, number>(
  new URL('./password-strength-thread.ts', import.meta.url),
  { maxRunning: 1, maxWaiting: 32, idleMs: 5_000, taskName: 'new passwords' },
)

/** @param emailKey the address of the account, which is refused as a password */
export async function checkNewPassword(
  password: string,
  path: string,
  emailKey: string,
): Promise<void> {
  const text = password.normalize('NFC')
  const chars = Array.from(text).length
  if (
    chars < PASSWORD_MIN_CHARS ||
    chars > PASSWORD_MAX_CHARS ||
    Buffer.byteLength(text) > MAX_BYTES
  )
    throw invalid(
      path,
      `${path} must have ${PASSWORD_MIN_CHARS} to ${PASSWORD_MAX_CHARS} characters.`,
      'length',
    )
  if (text.toLowerCase() === emailKey || (await isWeakPassword(text)))
    throw invalid(
      path,
      `${path} is easy to guess. Choose a longer one, such as several unrelated words.`,
      'weak',
    )
}

export async function isWeakPassword(password: string): Promise<boolean> {
  return (await estimator.run(password.slice(0, MAX_ESTIMATED_CHARS))) < MIN_GUESSES
}
