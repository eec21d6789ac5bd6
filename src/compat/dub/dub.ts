import type { Static } from 'typebox'
import type { TrackedLead, TrackedSale } from '../../conversions/conversions/dub.ts'
import type { LinkPreview } from '../../links/preview/preview.ts'
import { invalid } from '../../platform/core/errors.ts'
import type { CompatApi } from '../api.ts'
import { asText, textOf, toObject } from '../fields.ts'
import { findBySlug, slugOf } from '../lookups.ts'
import { SIZES } from '../../platform/limits/sizes.ts'
import { analyticsRows } from './analytics.ts'
import { toError } from './errors.ts'
import { refuse } from './fields.ts'
import { groupRows } from './groups.ts'
import { PREFIX } from './link.ts'
import { linkRows } from './links.ts'

export const dub: CompatApi = {
  name: 'Dub',
  prefix: PREFIX,
  rows: {
    ...linkRows,
    ...groupRows,
    ...analyticsRows,
    /** The code of a link, not of any address: scans are counted. */
    'GET /qr': async ({ query, call }) => {
      refuse(query, 'logo')
      const url = URL.parse(textOf(query, 'url') ?? '')
      if (!url) throw invalid('url', 'url must be a short URL.')
      const { id } = await findBySlug(call, slugOf(url), url.host)
      const [fg, bg] = ['fgColor', 'bgColor'].map((name) => textOf(query, name)?.replace(/^#/, ''))
      const margin = textOf(query, 'includeMargin') === 'false' ? '0' : textOf(query, 'margin')
      const options = { size: textOf(query, 'size'), level: textOf(query, 'level'), margin, fg, bg }
      const { bytes } = await call('GET', '/links/:id/qr', { params: { id }, query: options })
      return { type: 'image/png', body: bytes }
    },
    'GET /metatags': async ({ query, call }) => {
      const page = { query: { url: textOf(query, 'url') } }
      const { title, description, image } = (await call<LinkPreview>('GET', '/links/preview', page))
        .data
      return { body: { title, description, image } }
    },
    'POST /track/lead': async ({ body, call }) => {
      const fields = toObject(body)
      if (fields['eventQuantity'] !== 1) refuse(fields, 'eventQuantity')
      const { data } = await call<Static<typeof TrackedLead>>('POST', '/track/lead', { body })
      // A click that is not known yet is attributed later.
      const click = data.click ?? { id: asText(fields['clickId']) }
      return { body: { click, link: null, customer: data.customer } }
    },
    'POST /track/sale': async ({ body, call }) => {
      const { data } = await call<Static<typeof TrackedSale>>('POST', '/track/sale', { body })
      const { eventName, customer, sale } = data
      return {
        body: {
          eventName,
          customer: { id: customer.externalId ?? '', ...customer },
          sale: { ...sale, paymentProcessor: sale.paymentProcessor ?? 'custom' },
        },
      }
    },
  },
  limits: {
    'POST /links/bulk': { bodyBytes: SIZES.bulkBody.bytes, keys: 20_000, items: 20_000 },
  },
  findKey: ({ headers }) =>
    /^Bearer (\S+)$/i.exec(textOf(headers, 'authorization') ?? '')?.[1] ?? null,
  toError,
}
