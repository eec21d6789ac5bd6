export const CLICK_COLUMNS = [
  ...(['click_id', 'link_id', 'at', 'host', 'domain_id', 'slug', 'destination'] as const),
  ...(['country', 'region', 'city', 'continent', 'device', 'browser', 'os'] as const),
  ...(['referrer', 'language', 'trigger'] as const),
  ...(['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const),
] as const

/** A row of `clicks`; `at` as `2026-11-21 03:04:05.678`. */
export type ClickFields = Readonly<Record<(typeof CLICK_COLUMNS)[number], string>>

export type ToShortUrl = (host: string, slug: string, domainId: string) => string

export type ClickData = ReturnType<typeof toClickData>

/** For click.received, the click log, the export and the live stream: without address and visitor. */
export function toClickData(row: ClickFields, toShortUrl: ToShortUrl) {
  const shortUrl = toShortUrl(row.host, row.slug, row.domain_id)
  return {
    clickId: row.click_id,
    link: { id: row.link_id, slug: row.slug, shortUrl, domain: new URL(shortUrl).host },
    destinationUrl: row.destination,
    timestamp: `${row.at.replace(' ', 'T')}Z`,
    country: nullIfUnknown(row.country),
    region: nullIfUnknown(row.region),
    city: nullIfUnknown(row.city),
    continent: nullIfUnknown(row.continent),
    device: row.device,
    browser: row.browser,
    os: row.os,
    referrer: row.referrer,
    language: nullIfUnknown(row.language),
    trigger: row.trigger,
    utmSource: nullIfEmpty(row.utm_source),
    utmMedium: nullIfEmpty(row.utm_medium),
    utmCampaign: nullIfEmpty(row.utm_campaign),
    utmTerm: nullIfEmpty(row.utm_term),
    utmContent: nullIfEmpty(row.utm_content),
  }
}

function nullIfUnknown(value: string): string | null {
  return value === '' || value === 'unknown' ? null : value
}

/** Links may have the UTM value `unknown`. */
function nullIfEmpty(value: string): string | null {
  return value === '' ? null : value
}
