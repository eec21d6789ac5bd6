export type MediaSearch = {
  /** A part of the name. */
  q?: string | undefined
}

export function readMediaSearch({ q }: Record<string, unknown>): MediaSearch {
  return typeof q === 'string' && q.trim() !== '' ? { q: q.trim() } : {}
}
