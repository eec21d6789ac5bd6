import type { Static } from 'typebox'
import type { TrackedLead, TrackedSale } from '../../conversions/conversions/dub.ts'
import type { LinkPreview } from '../../links/preview/preview.ts'
import { invalid } from '../../platform/core/errors.ts'
import type { Answered, Asked, CompatApi, Context } from '../api.ts'
import { asText, textOf } from '../fields.ts'
import { findBySlug } from '../links.ts'
import { analyticsRows } from './analytics.ts'
import { toError } from './errors.ts'
import { refuse, toFields } from './fields.ts'
import { groupRows } from './groups.ts'
import { linkRows, PREFIX } from './links.ts'

export const dub: CompatApi = {
  name: 'Dub',
  rows: {
    ...linkRows,
    ...groupRows,
    ...analyticsRows,
    [`GET ${PREFIX}/qr`]: { handle: drawQr },
    [`GET ${PREFIX}/metatags`]: { handle: readMetatags },
    [`POST ${PREFIX}/track/lead`]: { handle: trackLead },
    [`POST ${PREFIX}/track/sale`]: { handle: trackSale },
  },
  unknownBelow: PREFIX,
  findKey: findBearer,
  toError,
}

function findBearer({ headers }: Asked): string | null {
  return /^Bearer (\S+)$/i.exec(textOf(headers, 'authorization') ?? '')?.[1] ?? null
}

/** The code of a link, not of any address: scans are counted. */
async function drawQr({ query, call }: Context): Promise<Answered> {
  refuse(query, 'logo')
  const url = URL.parse(textOf(query, 'url') ?? '')
  if (!url) throw invalid('url', 'url must be a short URL.')
  const { id } = await findBySlug(call, toSlug(url), url.host)
  const [fg, bg] = ['fgColor', 'bgColor'].map((name) => textOf(query, name)?.replace(/^#/, ''))
  const margin = textOf(query, 'includeMargin') === 'false' ? '0' : textOf(query, 'margin')
  const options = { size: textOf(query, 'size'), level: textOf(query, 'level'), margin, fg, bg }
  const { bytes } = await call('GET', '/links/:id/qr', { params: { id }, query: options })
  return { type: 'image/png', body: bytes }
}

function toSlug({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname.slice(1))
  } catch {
    throw invalid('url', 'url must be a short URL.')
  }
}

async function readMetatags({ query, call }: Context): Promise<Answered> {
  const page = { query: { url: textOf(query, 'url') } }
  const { data } = await call<LinkPreview>('GET', '/links/preview', page)
  const { title, description, image } = data
  return { body: { title, description, image } }
}

async function trackLead({ body, call }: Context): Promise<Answered> {
  const fields = toFields(body)
  if (fields['eventQuantity'] !== 1) refuse(fields, 'eventQuantity')
  const { data } = await call<Static<typeof TrackedLead>>('POST', '/track/lead', { body })
  // A click that is not known yet is attributed later.
  const click = data.click ?? { id: asText(fields['clickId']) }
  return { body: { click, link: null, customer: data.customer } }
}

async function trackSale({ body, call }: Context): Promise<Answered> {
  const { data } = await call<Static<typeof TrackedSale>>('POST', '/track/sale', { body })
  const { eventName, customer, sale } = data
  const paymentProcessor = sale.paymentProcessor ?? 'custom'
  return {
    body: {
      eventName,
      customer: { id: customer.externalId ?? '', ...customer },
      sale: { ...sale, paymentProcessor },
    },
  }
}
