const ALIASES: ReadonlyMap<string, string> = new Map([
  ['t.co', 'x.com'],
  ['twitter.com', 'x.com'],
  ['mobile.twitter.com', 'x.com'],
  ['mobile.x.com', 'x.com'],
  ['l.facebook.com', 'facebook.com'],
  ['lm.facebook.com', 'facebook.com'],
  ['m.facebook.com', 'facebook.com'],
  ['l.messenger.com', 'messenger.com'],
  ['l.instagram.com', 'instagram.com'],
  ['l.threads.net', 'threads.net'],
  ['l.threads.com', 'threads.com'],
  ['lnkd.in', 'linkedin.com'],
  ['l.wl.co', 'whatsapp.com'],
  ['out.reddit.com', 'reddit.com'],
  ['old.reddit.com', 'reddit.com'],
  ['m.youtube.com', 'youtube.com'],
  ['away.vk.com', 'vk.com'],
  ['m.vk.com', 'vk.com'],
])

const ANDROID_APPS: ReadonlyMap<string, string> = new Map([
  ['com.google.android.gm', 'Gmail'],
  ['com.google.android.googlequicksearchbox', 'Google'],
  ['com.google.android.apps.messaging', 'Google Messages'],
  ['com.google.android.youtube', 'YouTube'],
  ['com.microsoft.office.outlook', 'Outlook'],
  ['com.microsoft.teams', 'Microsoft Teams'],
  ['com.slack', 'Slack'],
  ['com.Slack', 'Slack'],
  ['com.linkedin.android', 'LinkedIn'],
  ['com.twitter.android', 'X'],
  ['com.facebook.katana', 'Facebook'],
  ['com.facebook.lite', 'Facebook'],
  ['com.facebook.orca', 'Messenger'],
  ['com.instagram.android', 'Instagram'],
  ['com.instagram.barcelona', 'Threads'],
  ['com.whatsapp', 'WhatsApp'],
  ['com.pinterest', 'Pinterest'],
  ['com.reddit.frontpage', 'Reddit'],
  ['com.snapchat.android', 'Snapchat'],
  ['com.zhiliaoapp.musically', 'TikTok'],
  ['com.discord', 'Discord'],
  ['org.telegram.messenger', 'Telegram'],
  ['org.telegram.messenger.web', 'Telegram'],
  ['org.thoughtcrime.securesms', 'Signal'],
  ['com.yahoo.mobile.client.android.mail', 'Yahoo Mail'],
])

const ANDROID_APP = /^android-app:\/\/([A-Za-z0-9_.]{1,128})(?:[/?#]|$)/
const MAX_REFERRER_CHARS = 2_048
const DIRECT = 'direct'
const UNKNOWN = 'unknown'

/** The site's host without `www.`, the name of an Android app, `direct` for none or one of `ownHosts`, else `unknown`. */
export function referrerLabel(referrer: string, ownHosts: readonly string[]): string {
  const text = referrer.slice(0, MAX_REFERRER_CHARS).trim()
  if (text === '' || /^about:/i.test(text)) return DIRECT
  const app = ANDROID_APP.exec(text)?.[1]
  if (app) return ANDROID_APPS.get(app) ?? app
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return UNKNOWN
  const host = toSite(url.hostname)
  if (host === '') return UNKNOWN
  if (ownHosts.some((own) => toOwnSite(own) === host)) return DIRECT
  return ALIASES.get(host) ?? host
}

function toOwnSite(host: string): string {
  return toSite(URL.parse(`http://${host}`)?.hostname ?? '')
}

function toSite(hostname: string): string {
  const name = hostname.replace(/\.$/, '').replace(/^www\.(?=[^.]+\.)/, '')
  return name.length <= 253 ? name : ''
}

const MAX_LANGUAGES_CHARS = 128

/** Old codes that some browsers still send. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
])

/** The primary subtag with the highest weight: `pt-BR,en;q=0.8` is `pt`. `unknown` if none is valid. */
export function languageLabel(acceptLanguage: string): string {
  let best = UNKNOWN
  let bestWeight = 0
  for (const entry of acceptLanguage.slice(0, MAX_LANGUAGES_CHARS).split(',')) {
    const found =
      /^\s*([A-Za-z]{2,3})(?:[-_][A-Za-z0-9-]{1,32})?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/.exec(
        entry,
      )
    const weight = Number(found?.[2] ?? 1)
    if (!found?.[1] || weight <= bestWeight) continue
    best = found[1].toLowerCase()
    bestWeight = weight
  }
  return RENAMED.get(best) ?? best
}

/** Ignores case; null if no visitor has it. */
export function toLanguageLabel(code: string): string | null {
  const label = code.toLowerCase()
  if (!/^[a-z]{2,3}$/.test(label)) return null
  return RENAMED.get(label) ?? label
}
