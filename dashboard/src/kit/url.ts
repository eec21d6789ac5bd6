/** A web address as people write it: without its scheme, and without the slash of an empty path. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/^([^/?#]+)\/$/, '$1')
}
