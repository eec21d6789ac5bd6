import { domainToUnicode } from 'node:url'

/** Alphabets whose letters look like those of one another. */
const LOOK_ALIKES = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
]
/** Letters of other alphabets that can be taken for Latin ones. */
const LIKE_LATIN = /^[\d\-асԁеһіјӏорԛѕԝхуъьҽпгѵѡαικνορτυχωօսոհցզ]+$/u
const ASCII = /^[ -~]*$/

/**
 * True for a host with a label that mixes alphabets, or is spelled in letters that imitate Latin ones, such as
 * `аpple.com` with a Cyrillic `а`.
 * @param host in punycode or Unicode
 */
export function isMixedScript(host: string): boolean {
  const labels = domainToUnicode(host).split('.')
  return labels.some((label) => {
    if (ASCII.test(label)) return false
    const scripts = LOOK_ALIKES.filter((script) => script.test(label))
    return scripts.length > 1 || LIKE_LATIN.test(label)
  })
}
