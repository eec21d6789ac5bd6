const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
  ['curl', 'curl'],
] as const
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** "Firefox, Windows": enough to know one's own browsers apart. An unknown one is shown as it is. */
export function describeAgent(userAgent: string): string {
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([part]) => userAgent.includes(part))?.[1]
  const known = [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== undefined)
  return known.length > 0 ? known.join(', ') : userAgent.slice(0, 80)
}
