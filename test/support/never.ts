/** A signal that is never aborted. */
export const NEVER = new AbortController().signal
