import { invalid } from '../../platform/core/errors.ts'
import { toLanguageLabel } from '../../platform/facts/visit-headers.ts'
import {
  parseClickId,
  SP_ID,
  type NamedClick,
  type SignClick,
} from '../../platform/facts/click-identity.ts'
import type { Method, Platform, ResolveDeferred } from './schema.ts'

export type Hint =
  | { method: Exclude<Method, 'fingerprint'>; click: NamedClick }
  | { method: Exclude<Method, 'fingerprint'>; url: URL }
  | { method: 'fingerprint'; platform: Platform; language: string }

const CLICK_PARAMETERS = [SP_ID, 'clickId', 'click_id']
const URL_PARAMETERS = ['deepLink', 'deep_link', 'url', 'link']
const PRIMARY_SUBTAG = /^[A-Za-z]{2,3}(?=$|[-_])/

/** In the order in which they are tried; a referrer without a hint is passed over. */
export function toHints(sign: SignClick, input: ResolveDeferred): Hint[] {
  requireHint(input)
  const { installReferrer, clickId, deepLink, url, domain, platform } = input
  const click = clickId === undefined ? null : parseClickId(sign, clickId)
  const language = toLanguage(input.language)
  const pasted = [deepLink, url].flatMap((text) => toUrlHint(sign, 'click_id', text, domain))
  return [
    ...toReferrerHint(sign, installReferrer, domain),
    ...(click === null ? [] : [{ method: 'click_id', click } as const]),
    ...pasted.slice(0, 1),
    ...(platform !== undefined && language !== null
      ? [{ method: 'fingerprint', platform, language } as const]
      : []),
  ]
}

function requireHint(input: ResolveDeferred): void {
  const { installReferrer, clickId, deepLink, url, platform, language } = input
  if ([installReferrer, clickId, deepLink, url].some((hint) => hint !== undefined)) return
  if (platform !== undefined && language !== undefined) return
  const missing = platform === undefined ? 'platform' : 'language'
  throw invalid(
    missing,
    'Send installReferrer, clickId, deepLink or url, or platform and language.',
    'required',
  )
}

/** The referrer is the query of the store's URL: `deepLink=<short URL>`, with `sp_id` if the click is known. */
function toReferrerHint(sign: SignClick, text: string | undefined, domain: string | undefined) {
  if (text === undefined) return []
  if (URL.canParse(text)) return toUrlHint(sign, 'referrer', text, domain)
  const query = new URLSearchParams(text.includes('=') ? text : decode(text))
  return [
    ...toClickHint(sign, 'referrer', query),
    ...URL_PARAMETERS.flatMap((name) =>
      toUrlHint(sign, 'referrer', query.get(name) ?? undefined, domain),
    ),
  ].slice(0, 1)
}

/** A path needs the host that `domain` names. */
function toUrlHint(
  sign: SignClick,
  method: Exclude<Method, 'fingerprint'>,
  text: string | undefined,
  domain: string | undefined,
): Hint[] {
  if (text === undefined) return []
  const url = URL.parse(text, domain === undefined ? undefined : `https://${domain}`)
  if (url === null) return []
  const byClick = toClickHint(sign, method, url.searchParams)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return byClick.length > 0 || !isWeb ? byClick : [{ method, url }]
}

function toClickHint(
  sign: SignClick,
  method: Exclude<Method, 'fingerprint'>,
  query: URLSearchParams,
): Hint[] {
  const named = CLICK_PARAMETERS.flatMap((name) => query.getAll(name).slice(0, 1))
  const clicks = named.flatMap((text) => parseClickId(sign, text) ?? [])
  return clicks.slice(0, 1).map((click) => ({ method, click }))
}

/** Its label in analytics, without script and region. */
function toLanguage(text: string | undefined): string | null {
  const code = PRIMARY_SUBTAG.exec(text?.trim() ?? '')?.[0]
  return code === undefined ? null : toLanguageLabel(code)
}

/** Some libraries pass the referrer on without decoding it. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
