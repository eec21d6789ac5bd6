type Row = Record<string, unknown>

/** Objects of a Shlink link whose fields become columns: `meta.validUntil`. */
const NESTED = ['meta', 'visitsSummary']

const MOST = 'meta.maxVisits'

/** A record of another service with one value for each column; null for one that is no link. */
export function toRecord(object: Row): Row | null {
  if ('shortCode' in object) return fromShlink(object)
  if ('slug' in object && 'url' in object) return fromSink(object)
  // Headings and spacers of a bio page.
  if ('click_number' in object && !object['link']) return null
  if ('position' in object && 'title' in object && !object['url']) return null
  return object
}

/** A link is limited to the visits that it has left; one without any is paused. */
function fromShlink(object: Row): Row {
  const { meta: _meta, visitsSummary: _visits, ...link } = object
  const fieldsOf = (name: string) => Object.entries(isObject(object[name]) ? object[name] : {})
  const nested = NESTED.flatMap((name) =>
    fieldsOf(name).map(([field, value]) => [`${name}.${field}`, value] as const),
  )
  const row: Row = { ...link, ...Object.fromEntries(nested) }
  const [most, used] = [row[MOST], row['visitsSummary.total'] ?? row['visitsCount']]
  if (typeof most !== 'number' || typeof used !== 'number') return row
  return most > used ? { ...row, [MOST]: most - used } : { ...row, isUsedUp: true }
}

/** `geo` has a URL for each country; title, description and image are of the preview. */
function fromSink({ geo, description, image, ...link }: Row): Row {
  const rules = Object.entries(isObject(geo) ? geo : {}).map(([country, destinationUrl]) => ({
    conditions: { country: [country] },
    destinationUrl,
  }))
  const hasImage = typeof image === 'string' && image.startsWith('https://')
  const card = {
    ...(description ? { title: link['title'] ?? null, description } : {}),
    ...(hasImage ? { image } : {}),
  }
  return {
    ...link,
    ...(rules.length > 0 && { rules }),
    ...(Object.keys(card).length > 0 && { card }),
  }
}

export function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
