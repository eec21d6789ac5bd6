import { ApiError } from '../../platform/core/errors.ts'
import type { Context } from '../api.ts'
import type { Call } from '../call.ts'
import { toName } from '../fields.ts'
import type { Link } from '../../links/link/schema.ts'
import { listByDestination } from '../lookups.ts'
import { showLink, toDate, type Get, type Output } from './output.ts'

/** A known address is answered with its link, as a failure: YOURLS has one link for each address. */
export async function shorten({ call }: Context, of: Get): Promise<Output> {
  const [url, slug] = [of('url'), of('keyword')]
  if (url === undefined) return fail('error:nourl', 'Missing or malformed URL')
  try {
    const { link, isNew } = await findOrCreate(call, {
      ...{ name: toName(of('title'), url), destinationUrl: url, slug },
    })
    const { destinationUrl, shortUrl } = link
    const short = shortUrl.replace(/^https?:\/\//, '')
    const added = { status: 'success', code: '', message: `${destinationUrl} added to database` }
    const known = `${destinationUrl} already exists in database (short URL: ${short})`
    return {
      url: { keyword: link.slug, date: toDate(link.createdAt), ...showLink(link) },
      title: link.name,
      shorturl: shortUrl,
      ...(isNew ? { ...added, errorCode: '', statusCode: '200' } : fail('error:url', known)),
      simple: shortUrl,
    }
  } catch (error) {
    return refuse(error, slug)
  }
}

type NewLink = { name: string; destinationUrl: string; slug: string | undefined }

async function findOrCreate(call: Call, body: NewLink) {
  // An upsert would look for the slug.
  if (body.slug !== undefined) {
    const [known] = await listByDestination(call, body.destinationUrl, { limit: 1 })
    const link = known ?? (await call<Link>('POST', '/links', { body })).data
    return { link, isNew: !known }
  }
  const given = { query: { keep: true }, body }
  const { data: link, meta } = await call<Link>('PUT', '/links/upsert', given)
  return { link, isNew: meta['created'] === true }
}

function fail(code: string, message: string): Output {
  return { status: 'fail', code, message, errorCode: '400', statusCode: '400', simple: '' }
}

/** @throws the error itself when YOURLS has no code for it */
function refuse(error: unknown, keyword = ''): Output {
  if (!(error instanceof ApiError)) throw error
  const field = Array.isArray(error.details) ? error.details[0]?.path : undefined
  const { message } = error
  const taken = `Short URL ${keyword} already exists in database or is reserved: ${message}`
  if (field === 'slug') return fail('error:keyword', taken)
  if (field === 'destinationUrl') return fail('error:nourl', `Missing or malformed URL: ${message}`)
  throw error
}
