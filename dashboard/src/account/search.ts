/** The workspace that the user came from, and goes back to. */
export type AccountSearch = { from?: string | undefined }

export function readAccountSearch({ from }: Record<string, unknown>): AccountSearch {
  return typeof from === 'string' && /^wsp_\w+$/.test(from) ? { from } : {}
}
