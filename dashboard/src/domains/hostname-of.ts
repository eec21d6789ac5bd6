/** The host of what a user types, a name or an address, for the preview; the server decides. Empty: none. */
export function hostnameOf(typed: string): string {
  const trimmed = typed.trim()
  if (trimmed === '') return ''
  const url = URL.parse(/^https?:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`)
  return url?.hostname ?? ''
}
