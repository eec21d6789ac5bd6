import { hash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A file of the list, which the server reads at its start: it opens no file that is not listed. */
type Listed = {
  /** Below the folder, with slashes. */
  path: string
  bytes: number
  /** Of the content, for the ETag. */
  digest: string
  /** Sizes of the compressed forms; null where a file is not compressed. */
  br: number | null
  gzip: number | null
}

const LIST = 'files.json'
/** Fonts and pictures are compressed already. */
const TEXT = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt'])
const DIGEST_CHARS = 22

/**
 * Writes the Brotli and gzip form of every text file beside it, and the list of all files. The work
 * that takes long is done here once, so that a request costs the server a look-up.
 */
export async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()
  const files = await Promise.all(paths.map((path) => compressFile(folder, path)))
  await writeFile(join(folder, LIST), `${JSON.stringify({ files }, null, 1)}\n`)
}

async function compressFile(folder: string, path: string): Promise<Listed> {
  const at = join(folder, path)
  const content = await readFile(at)
  const isText = TEXT.has(extname(path))
  const [br, gz] = isText ? await Promise.all([toBrotli(content), toGzip(content)]) : [null, null]
  if (br) await writeFile(`${at}.br`, br)
  if (gz) await writeFile(`${at}.gz`, gz)
  return {
    path,
    bytes: content.length,
    digest: hash('sha256', content, 'base64url').slice(0, DIGEST_CHARS),
    br: br?.length ?? null,
    gzip: gz?.length ?? null,
  }
}

function toBrotli(content: Buffer): Promise<Buffer> {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_PARAM_SIZE_HINT } = constants
  const params = {
    [BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  return promisify(brotliCompress)(content, { params })
}

function toGzip(content: Buffer): Promise<Buffer> {
  return promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION })
}
