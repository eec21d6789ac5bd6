import type { Static } from 'typebox'
import type { ClickEventShape } from '../../analytics/clicks/events-schema.ts'
import type { Link } from '../../links/link/schema.ts'
import { invalid } from '../../platform/core/errors.ts'
import type { Answered, Context, Rows } from '../api.ts'
import { asText, rename, textOf } from '../fields.ts'
import { refuse, same, toList, toSlice } from './fields.ts'
import { findNamed, OWN_ID, readLinks } from './links.ts'

export const analyticsRows: Rows = { 'GET /analytics': count, 'GET /events': listEvents }

const UNSUPPORTED = [
  ...['tenantId', 'partnerTagId', 'groupId', 'partnerId', 'customerId', 'programId'],
  ...['refererUrl', 'root', 'saleType', 'query'],
]

/** Parameters of both, which `GET /v1/analytics` has under the same names. */
const SAME = same(
  ...['interval', 'start', 'end', 'timezone', 'folderId', 'country', 'city', 'region', 'continent'],
  ...['device', 'browser', 'os', 'trigger', 'referer', 'url'],
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
)

/** Those that the log of clicks names otherwise. */
const OWN_NAMES = {
  referer: 'referrer',
  url: 'destination',
  utm_source: 'utmSource',
  utm_medium: 'utmMedium',
  utm_campaign: 'utmCampaign',
  utm_term: 'utmTerm',
  utm_content: 'utmContent',
}

type Query = Readonly<Record<string, string | undefined>>

async function toQuestion(context: Context): Promise<Query> {
  const { query } = context
  refuse(query, ...UNSUPPORTED)
  const [domain, scanned, start, id] = ['domain', 'qr', 'start', 'linkId'].map((name) =>
    textOf(query, name),
  )
  const isLink = ['linkId', 'externalId', 'key'].some((name) => textOf(query, name) !== undefined)
  return {
    ...(start === undefined && { interval: '24h' }),
    ...(rename(query, SAME) as Query),
    ...(scanned !== undefined && { trigger: scanned === 'true' ? 'qr' : '-qr' }),
    tag: toList('tagIds', query['tagId'] ?? query['tagIds']).join() || undefined,
    linkId: !isLink || (id && !OWN_ID.test(id)) ? id : (await findNamed(context)).id,
    domain: isLink || domain === undefined ? undefined : await toLabel(context, domain),
  }
}

/** The shared host is no domain of the workspace. A domain without links is a label without clicks. */
async function toLabel({ call }: Context, domain: string): Promise<string> {
  const query = { domain, includeArchived: true, limit: 1 }
  const { data } = await call<Link[]>('GET', '/links', { query })
  return data[0] ? (data[0].domainId ?? 'default') : domain
}

type Row = { id?: string } & Readonly<Record<string, unknown>>

async function count(context: Context): Promise<Answered> {
  const { query, call } = context
  const given = textOf(query, 'groupBy')
  const groupBy = given === 'trigger' ? 'triggers' : given
  const { data } = await call<Row | Row[]>('GET', '/analytics', {
    query: { ...(await toQuestion(context)), event: textOf(query, 'event'), groupBy },
  })
  if (!Array.isArray(data)) return { body: data }
  if (groupBy === 'top_links') return { body: await toTopLinks(context, data) }
  return { body: data.filter(({ continent }) => continent !== 'unknown').map(addPlace) }
}

/** A label says its place alone; `*` is any, as in Dub's rows of countries. */
function addPlace(row: Row): Row {
  const { region, city } = row
  if (region !== undefined) return { country: asText(region).slice(0, 2), city: '*', ...row }
  return city === undefined ? row : { country: '*', region: '*', ...row }
}

const MAX_LINKS = 100

async function toTopLinks(context: Context, rows: readonly Row[]) {
  const top = rows.slice(0, MAX_LINKS)
  const links = await readLinks(context, top)
  return top.flatMap((row) => {
    const link = links.get(row.id!)
    if (!link) return []
    const { domain, url, title, comments, folderId, createdAt } = link
    return [{ ...row, domain, url, title, comments, folderId, partnerId: null, createdAt }]
  })
}

type Click = Static<typeof ClickEventShape>

/** Leads and sales are no rows here, since these have a customer with a date at Dub. */
async function listEvents(context: Context): Promise<Answered> {
  const { query, call } = context
  const order = textOf(query, 'sortOrder') ?? textOf(query, 'order') ?? 'desc'
  if (order !== 'desc') throw invalid('sortOrder', 'sortOrder must be desc.')
  if ((textOf(query, 'event') ?? 'clicks') !== 'clicks')
    throw invalid('event', 'event must be clicks. GET /v1/analytics/conversions lists the others.')
  const question = await toQuestion(context)
  const { data } = await call<Click[]>('GET', '/analytics/events', {
    query: {
      ...question,
      ...(rename(question, OWN_NAMES) as Query),
      ...toSlice({ page: query['page'], pageSize: query['limit'] }),
    },
  })
  const links = await readLinks(
    context,
    data.map(({ link }) => link),
  )
  return {
    body: data.flatMap((click) => {
      const link = links.get(click.link.id)
      return link
        ? [{ ...toEvent(click), link, link_id: link.id, domain: link.domain, key: link.key }]
        : []
    }),
  }
}

function toEvent(click: Click) {
  const { id, timestamp, destinationUrl: url, referrer, trigger, device, browser, os } = click
  const { country, region, city, continent } = click
  const places = Object.entries({ country, region, city, continent })
  const place = Object.fromEntries(places.map(([name, label]) => [name, label ?? 'Unknown']))
  const shared = { url, ...place, device, browser, os, ip: '' }
  const qr = trigger === 'qr'
  const from = { trigger, referer: referrer, refererUrl: referrer }
  return {
    event: 'click',
    timestamp,
    click: { id, timestamp, ...shared, ...from, qr },
    click_id: id,
    ...shared,
    qr: Number(qr),
  }
}
