import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { StaticFile } from './static-file.ts'

const decompress = promisify(gunzip)

export type DashboardFiles = ReadonlyMap<string, StaticFile>

/** As dashboard/compress.ts writes it. */
type Listed = {
  path: string
  bytes: number
  digest: string
  br: number | null
  gzip: number | null
}

const LIST = 'files.json'
const PATH = /^(assets\/)?[\w-][\w.-]*$/
/** All files stay in memory, in each encoding; a build takes about 2 MB. */
const MAX_BYTES = 16 * 1024 * 1024
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/**
 * No request opens or decompresses a file, and a build that is removed from the disk is still served.
 * @throws when a file is missing, has another size, or would be served outside of `/app/`
 */
export async function readBuild(folder: string): Promise<DashboardFiles> {
  const text = await readFile(join(folder, LIST), 'utf8')
  const { files } = JSON.parse(text) as { files: Listed[] }
  const sizes = files.map(({ bytes, br, gzip }) => bytes + (br ?? 0) + (gzip ?? 0))
  if (sizes.reduce((sum, size) => sum + size, 0) > MAX_BYTES)
    throw new Error(`${folder} has more than ${MAX_BYTES} bytes`)
  const read = await Promise.all(
    files.map(async (listed) => [listed.path, await readListed(folder, listed)] as const),
  )
  return new Map(read)
}

async function readListed(folder: string, listed: Listed): Promise<StaticFile> {
  const { path, digest, bytes, br, gzip } = listed
  const type = TYPES[extname(path)]
  if (!PATH.test(path) || type === undefined) throw new Error(`${path} cannot be served`)
  const at = join(folder, path)
  if (br === null || gzip === null) return { type, digest, content: await readExactly(at, bytes) }
  const forms = [readExactly(`${at}.br`, br), readExactly(`${at}.gz`, gzip)] as const
  const [brotli, gzipped] = await Promise.all(forms)
  const content = await decompress(gzipped, { maxOutputLength: bytes })
  return { type, digest, content, br: brotli, gzip: gzipped }
}

async function readExactly(path: string, bytes: number): Promise<Buffer> {
  const content = await readFile(path)
  if (content.length !== bytes) throw new Error(`${path} does not have ${bytes} bytes`)
  return content
}
