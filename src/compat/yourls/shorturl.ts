import { ApiError } from '../../platform/core/errors.ts'
import type { Context } from '../api.ts'
import type { Call } from '../call.ts'
import type { Link } from '../../links/link/schema.ts'
import { findByDestination } from '../links.ts'
import { toDate, type Fields, type Output } from './output.ts'

const NAME_CHARS = 255

/** A known address is answered with its link, as a failure: YOURLS has one link for each address. */
export async function shorten({ call }: Context, of: Fields): Promise<Output> {
  const url = of('url')
  if (url === undefined) return fail('error:nourl', 'Missing or malformed URL')
  const [keyword, title] = [of('keyword'), of('title')]
  try {
    const body = {
      name: (title ?? url).slice(0, NAME_CHARS).toWellFormed(),
      destinationUrl: url,
    }
    const { link, isNew } = keyword
      ? await createAs(call, { ...body, slug: keyword })
      : await findOrCreate(call, body)
    if (!isNew) return { ...show(link), ...toKnown(link) }
    return {
      ...show(link),
      status: 'success',
      code: '',
      message: `${link.destinationUrl} added to database`,
      errorCode: '',
      statusCode: '200',
    }
  } catch (error) {
    return refuse(error, keyword)
  }
}

type NewLink = { name: string; destinationUrl: string; slug?: string }

async function findOrCreate(call: Call, body: NewLink) {
  const { data: link, meta } = await call<Link>('PUT', '/links/upsert', {
    query: { keep: true },
    body,
  })
  return { link, isNew: meta['created'] === true }
}

/** An upsert would look for the slug. */
async function createAs(call: Call, body: NewLink) {
  const known = await findByDestination(call, body.destinationUrl)
  if (known) return { link: known, isNew: false }
  return { link: (await call<Link>('POST', '/links', { body })).data, isNew: true }
}

function show(link: Link) {
  return {
    url: {
      keyword: link.slug,
      url: link.destinationUrl,
      title: link.name,
      date: toDate(link.createdAt),
      ip: '',
      clicks: String(link.clicks),
    },
    title: link.name,
    shorturl: link.shortUrl,
    simple: link.shortUrl,
  }
}

function toKnown(link: Link) {
  const short = link.shortUrl.replace(/^https?:\/\//, '')
  return {
    ...toFailure(
      'error:url',
      `${link.destinationUrl} already exists in database (short URL: ${short})`,
    ),
  }
}

function toFailure(code: string, message: string) {
  return { status: 'fail', code, message, errorCode: '400', statusCode: '400' }
}

function fail(code: string, message: string): Output {
  return { ...toFailure(code, message), simple: '' }
}

/** @throws the error itself when YOURLS has no code for it */
function refuse(error: unknown, keyword = ''): Output {
  if (!(error instanceof ApiError)) throw error
  const field = Array.isArray(error.details) ? error.details[0]?.path : undefined
  if (field === 'slug')
    return fail(
      'error:keyword',
      `Short URL ${keyword} already exists in database or is reserved: ${error.message}`,
    )
  if (field === 'destinationUrl')
    return fail('error:nourl', `Missing or malformed URL: ${error.message}`)
  throw error
}
