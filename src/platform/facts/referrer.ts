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

/** Frequent Android apps; others are labeled with their package name. */
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
const MAX_LENGTH = 2_048
const DIRECT = 'direct'
const UNKNOWN = 'unknown'

/**
 * Label of a Referer: the site's host without `www.` (IDN in punycode), the name of an Android app, `direct` for none or one
 * of `ownHosts` (with or without a port), and `unknown` for an invalid one.
 */
export function referrerLabel(referrer: string, ownHosts: readonly string[]): string {
  const text = referrer.slice(0, MAX_LENGTH).trim()
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

/** Without a final dot and a leading `www.`; `''` if longer than DNS allows. */
function toSite(hostname: string): string {
  const name = hostname.replace(/\.$/, '').replace(/^www\.(?=[^.]+\.)/, '')
  return name.length <= 253 ? name : ''
}
