import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Link, LinkImport, UpdateLink } from '../../typescript/src/index.ts'
import { drawQrCode } from './qr.ts'
import {
  plain,
  table,
  textOption,
  UserError,
  type Command,
  type Given,
  type Io,
} from './command.ts'

const SHOWN = 50
const MAX_SHOWN = 100_000
const POLL_MS = 500
const NAME_CHARS = 255

const about = (link: Link) =>
  table([
    ['short URL', link.shortUrl],
    ['destination', link.destinationUrl],
    ['name', link.name],
    ['id', link.id],
    ['status', link.status],
    ['clicks', String(link.clicks)],
    ['created', link.createdAt],
  ])

const FIELDS = {
  slug: { type: 'string', value: 'SLUG', about: 'path of the short URL' },
  domain: { type: 'string', value: 'HOST', about: 'domain of the short URL' },
  name: { type: 'string', value: 'TEXT', about: 'name of the link' },
  expires: { type: 'string', value: 'TIME', about: 'when it ends: 2027-01-01T00:00:00Z' },
  tags: { type: 'string', value: 'A,B', about: 'its tags' },
} as const

function fieldsOf(given: Given): UpdateLink {
  const [slug, domain, name, expiresAt, tags] = ['slug', 'domain', 'name', 'expires', 'tags'].map(
    (option) => textOption(given, option),
  )
  return {
    ...(slug !== undefined && { slug }),
    ...(domain !== undefined && { domain }),
    ...(name !== undefined && { name }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(tags !== undefined && { tags: tags.split(',').filter((tag) => tag !== '') }),
  }
}

export const shorten: Command = {
  args: 'URL',
  summary: 'make a short link',
  options: {
    ...FIELDS,
    qr: { type: 'boolean', about: 'draw its QR code in the terminal' },
    'qr-file': { type: 'string', value: 'FILE', about: 'write its QR code to a .png or .svg file' },
  },
  async run(io, given, client) {
    const [destinationUrl] = given.args as [string]
    const file = textOption(given, 'qr-file')
    const format = file === undefined ? null : formatOf(file)
    const name = destinationUrl.replace(/^\w+:\/\//, '').slice(0, NAME_CHARS)
    const link = await client().links.create({ name, destinationUrl, ...fieldsOf(given) } as never)
    if (file !== undefined) {
      const image = await client().links.qr(link.id, { format: format! })
      await writeFile(file, new Uint8Array(await image.arrayBuffer()))
    }
    if (given.options['qr'] === true) {
      const image = await client().links.qr(link.id, { format: 'svg', level: 'L', margin: 2 })
      io.note(drawQrCode(await image.text()))
    }
    return { data: link, text: link.shortUrl }
  },
}

function formatOf(file: string): 'png' | 'svg' {
  const format = /\.(png|svg)$/.exec(file)?.[1]
  if (format === 'png' || format === 'svg') return format
  throw new UserError(`--qr-file needs the name of a .png or .svg file; it is "${file}".`)
}

export const list: Command = {
  summary: 'list links, newest first',
  options: {
    search: { type: 'string', value: 'TEXT', about: 'only links with this text' },
    tag: { type: 'string', value: 'TAG', about: 'only links with this tag' },
    limit: { type: 'string', value: 'N', about: `how many links (${SHOWN})` },
  },
  async run(_, given, client) {
    const count = wholeNumber(given, 'limit', SHOWN, MAX_SHOWN)
    const [search, tag] = [textOption(given, 'search'), textOption(given, 'tag')]
    const query = { ...(search !== undefined && { search }), ...(tag !== undefined && { tag }) }
    const links: Link[] = []
    for await (const link of client().links.list({ ...query, limit: Math.min(count, 100) })) {
      links.push(link)
      if (links.length >= count) break
    }
    const rows = links.map((link) => [link.shortUrl, String(link.clicks), link.destinationUrl])
    return { data: links, text: table(rows) }
  },
}

export function wholeNumber(given: Given, name: string, fallback: number, max: number): number {
  const text = textOption(given, name)
  if (text === undefined) return fallback
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= 1 && value <= max) return value
  throw new UserError(`--${name} must be a whole number from 1 to ${max}; it is "${text}".`)
}

export const get: Command = {
  args: 'LINK',
  summary: 'show a link, by its id, slug or short URL',
  async run(_, { args }, client) {
    const link = await findLink(client(), args[0]!)
    return { data: link, text: about(link) }
  },
}

export const edit: Command = {
  args: 'LINK',
  summary: 'change a link',
  options: {
    ...FIELDS,
    to: { type: 'string', value: 'URL', about: 'where it leads' },
    status: { type: 'string', value: 'STATUS', about: 'active, paused or archived' },
  },
  async run(_, given, client) {
    const [to, status] = [textOption(given, 'to'), textOption(given, 'status')]
    const changes = {
      ...fieldsOf(given),
      ...(to !== undefined && { destinationUrl: to }),
      ...(status !== undefined && { status }),
    } as UpdateLink
    if (Object.keys(changes).length === 0)
      throw new UserError('Nothing to change: give at least one option, such as --to URL.')
    const { id } = await findLink(client(), given.args[0]!)
    const link = await client().links.update(id, changes)
    return { data: link, text: about(link) }
  },
}

export const remove: Command = {
  args: 'LINK',
  summary: 'delete a link; it can be restored for an hour',
  async run(_, { args }, client) {
    const link = await findLink(client(), args[0]!)
    await client().links.delete(link.id)
    return { data: { id: link.id }, text: `deleted ${plain(link.shortUrl)} (${link.id})` }
  },
}

export const open: Command = {
  args: 'LINK',
  summary: 'open a link in the browser',
  async run(io, { args }, client) {
    const { shortUrl } = await findLink(client(), args[0]!)
    io.openInBrowser(shortUrl)
    return { data: { shortUrl }, text: plain(shortUrl) }
  },
}

/** A link by its id, its slug or its short URL. */
export async function findLink(client: Client, given: string): Promise<Link> {
  if (/^lnk_\w+$/.test(given)) return client.links.get(given)
  const { links = [] } = await client.search({ q: given, limit: 20 })
  const isMeant = ({ slug, shortUrl }: { slug: string; shortUrl: string }) =>
    slug === given || shortUrl === given || shortUrl.replace(/^https?:\/\//, '') === given
  const found = links.filter(isMeant)
  if (found.length === 1) return client.links.get(found[0]!.id)
  throw new UserError(
    found.length === 0
      ? `There is no link "${given}": give its id, slug or short URL.`
      : `There are ${found.length} links "${given}": give the short URL or the id.`,
  )
}

export const importFile: Command = {
  args: 'FILE',
  summary: 'import links from a CSV file',
  options: {
    'dry-run': { type: 'boolean', about: 'check everything, write nothing' },
    source: {
      type: 'string',
      value: 'NAME',
      about: 'bitly, dub, shortio, rebrandly, yourls, kutt',
    },
    'on-conflict': { type: 'string', value: 'RULE', about: 'skip (as delivered) or update' },
  },
  async run(io, given, client) {
    const [file] = given.args as [string]
    const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      throw new UserError(`${file} cannot be read (${error.code}).`)
    })
    const [source, onConflict] = [textOption(given, 'source'), textOption(given, 'on-conflict')]
    const started = await client().links.imports.create({
      file: new File([bytes], 'links.csv', { type: 'text/csv' }),
      dryRun: given.options['dry-run'] === true,
      ...(source !== undefined && { source }),
      ...(onConflict !== undefined && { onConflict }),
    } as never)
    const ended = await followImport(io, client(), started)
    if (ended.error) throw new Error(ended.error.message)
    const { created, updated, skipped, failed } = ended
    const counts = `${created} created, ${updated} updated, ${skipped} skipped, ${failed} failed`
    const errors = ended.errors.map(({ row, column, message }) => [
      `row ${row}`,
      column ?? '',
      message,
    ])
    const text = [ended.dryRun ? `${counts} (dry run: nothing is written)` : counts, table(errors)]
    return { data: ended, text: text.filter(Boolean).join('\n') }
  },
}

async function followImport(io: Io, client: Client, started: LinkImport): Promise<LinkImport> {
  let now = started
  while (now.completedAt === null) {
    io.note(`${now.processed} of ${now.total} rows`)
    await sleep(POLL_MS, undefined, { signal: io.signal })
    now = await client.links.imports.get(started.id)
  }
  return now
}
