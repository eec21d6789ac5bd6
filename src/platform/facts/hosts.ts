import { domainToUnicode } from 'node:url'

/** The host of a URL and its parent domains: blocking any of them blocks the URL. Empty for the URL of an app. */
export function listHosts(text: string): string[] {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return []
  const labels = url.hostname.replace(/\.$/, '').split('.')
  return labels.map((_, i) => labels.slice(i).join('.'))
}

const LOOK_ALIKES = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
]
const LIKE_LATIN = /^[\d\-асԁеһіјӏорԛѕԝхуъьҽпгѵѡαικνορτυχωօսոհցզ]+$/u
const ASCII = /^[ -~]*$/

/** True for a label that mixes alphabets or imitates Latin letters, such as `аpple.com` with a Cyrillic `а`. */
export function isMixedScript(host: string): boolean {
  const labels = domainToUnicode(host).split('.')
  return labels.some((label) => {
    if (ASCII.test(label)) return false
    const scripts = LOOK_ALIKES.filter((script) => script.test(label))
    return scripts.length > 1 || LIKE_LATIN.test(label)
  })
}
