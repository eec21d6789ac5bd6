import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Listed = { path: string; bytes: number; br: number | null }

/**
 * Bytes of script, in Brotli, that a browser loads before the first paint of a page: the entry, what it
 * imports, and the chunks of the page's own route with what they import.
 * @param routes modules of the page that are loaded lazily (`link-page`)
 */
export function scriptBytes(folder: string, routes: readonly string[]): number {
  const { files } = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as {
    files: Listed[]
  }
  const scripts = new Map(
    files.filter(({ path }) => path.endsWith('.js')).map((file) => [nameOf(file.path), file]),
  )
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const first = [...scripts.keys()].filter((name) => html.includes(name))
  const own = routes.map((route) => {
    const found = [...scripts.keys()].find((name) => isChunkOf(name, route))
    if (found === undefined) throw new Error(`no script of the build is named ${route}`)
    return found
  })
  const loaded = new Set<string>()
  const visit = (name: string) => {
    const file = scripts.get(name)
    if (file === undefined || loaded.has(name)) return
    loaded.add(name)
    const text = readFileSync(join(folder, file.path), 'utf8')
    for (const [, imported] of text.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([^"']+\.js)["']/g))
      visit(imported!)
  }
  for (const name of [...first, ...own]) visit(name)
  return [...loaded].reduce((sum, name) => {
    const { br, bytes } = scripts.get(name)!
    return sum + (br ?? bytes)
  }, 0)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** `link-page-BX3f_a9-.js` is a chunk of `link-page`; the hash has eight characters. */
function isChunkOf(name: string, route: string): boolean {
  return name.startsWith(`${route}-`) && name.length === route.length + '-12345678.js'.length
}
