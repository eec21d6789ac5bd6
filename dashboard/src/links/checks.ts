import { fromLocalTime } from '../kit/local-time.ts'
import { isWebAddress } from '../kit/url.ts'
import { text } from '../text/link-page.ts'
import { problemOfMetadata, type LinkDraft } from './draft.ts'
import { sumOf } from './option-drafts.ts'

/** Problems that need no answer of the server, by the path of their field. */
export function checkDraft(draft: LinkDraft): Record<string, string> {
  const { destinationUrl, expiredUrl, maxClicks, startsAt, expiresAt, rules, variants } = draft
  const problems: Record<string, string | null> = {
    destinationUrl:
      destinationUrl.trim() === '' ? text.linkChecks.noDestination : problemOfUrl(destinationUrl),
    expiredUrl: problemOfUrl(expiredUrl),
    maxClicks:
      maxClicks.trim() === '' || /^[1-9]\d*$/.test(maxClicks.trim()) ? null : text.linkChecks.count,
    expiresAt:
      expiresAt !== '' && startsAt !== '' && toMs(expiresAt) <= toMs(startsAt)
        ? text.linkChecks.endsBeforeStart
        : null,
    metadata: problemOfMetadata(draft.metadata),
  }
  rules.forEach(({ conditions, destinationUrl: target }, at) => {
    problems[`rules.${at}.destinationUrl`] =
      target.trim() === '' ? text.linkChecks.noDestination : problemOfUrl(target)
    for (const [field, value] of Object.entries(conditions))
      if (value.trim() === '') problems[`rules.${at}.conditions.${field}`] = text.linkChecks.noValue
  })
  variants.forEach(({ destinationUrl: target }, at) => {
    problems[`variants.${at}.destinationUrl`] =
      target.trim() === '' ? text.linkChecks.noDestination : problemOfUrl(target)
  })
  if (variants.length > 0 && sumOf(variants) !== 100)
    problems['variants.0.weight'] = text.linkOptions.sum(sumOf(variants))
  return Object.fromEntries(
    Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== null),
  )
}

function problemOfUrl(typed: string): string | null {
  return typed.trim() === '' || isWebAddress(typed) ? null : text.linkChecks.url
}

function toMs(local: string): number {
  return Date.parse(fromLocalTime(local) ?? '')
}
