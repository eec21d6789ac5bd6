/**
 * The host of a URL and its parent domains: blocking any of them blocks the URL. Empty for the URL of an app. The URL parser
 * normalizes hosts: lower case, punycode, decimal addresses.
 */
export function listHosts(text: string): string[] {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return []
  const labels = url.hostname.replace(/\.$/, '').split('.')
  return labels.map((_, i) => labels.slice(i).join('.'))
}
