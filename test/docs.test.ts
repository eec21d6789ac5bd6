import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { ERRORS } from '../src/platform/core/errors.ts'
import { SETTINGS } from '../src/platform/config/config.ts'
import { runCli } from './support/program.ts'
import { openWorld } from './support/world.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGES = globSync(['README.md', 'docs/*.md'], { cwd: ROOT }).map(
  (file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const,
)

function missing(pattern: RegExp, isKnown: (name: string) => boolean): string[] {
  return PAGES.flatMap(([file, text]) =>
    Array.from(text.matchAll(pattern), ([, name]) => name!)
      .filter((name) => !isKnown(name))
      .map((name) => `${file}: ${name}`),
  )
}

test('the documentation names no setting, command or error that does not exist', async () => {
  const settings = new Set<string>(Object.values(SETTINGS).map(({ name }) => name))
  const { stdout: help } = await runCli(['help'], {})
  assert.deepEqual(
    [
      ...missing(
        /`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g,
        (name) => settings.has(name) || name in ERRORS || name.startsWith('NODE_'),
      ),
      ...missing(/signpost -- ([a-z-]+)/g, (name) => new RegExp(`^  ${name}( |$)`, 'm').test(help)),
    ],
    [],
  )
})

/** The fragment by which a heading of a page is addressed. */
function toFragment(heading: string): string {
  const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
  return words.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')
}

test('links of the documentation lead to files and headings that exist', () => {
  const headingsOf = (file: string) =>
    Array.from(
      readFileSync(join(ROOT, file), 'utf8')
        .replace(/^```.*?^```/gms, '')
        .matchAll(/^#+ (.+)$/gm),
      ([, heading]) => toFragment(heading!),
    )
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })
  const broken = pages.flatMap((page) =>
    Array.from(
      readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g),
      ([, link]) => link!,
    )
      .filter((link) => {
        const [path = '', fragment] = link.split('#')
        const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path))
        if (!existsSync(join(ROOT, target))) return true
        return fragment !== undefined && !headingsOf(target).includes(fragment)
      })
      .map((link) => `${page}: ${link}`),
  )
  assert.deepEqual(broken, [])
})

test('the rules of the API name every rate limit', () => {
  const [, rules] = PAGES.find(([file]) => file === 'docs/api.md')!
  const limits = Object.values(SETTINGS).filter(({ name }) => name.startsWith('RATE_LIMIT_'))
  assert.ok(limits.length > 3)
  for (const { name, fallback } of limits) {
    const shown = Number(fallback).toLocaleString('en')
    assert.ok(rules.includes(`\`${name}\` (${shown})`), name)
  }
})

test('the README names every package that is installed, and no other', () => {
  const installed = ['package.json', 'dashboard/package.json'].flatMap((file) => {
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(ROOT, file), 'utf8'),
    )
    return Object.keys({ ...dependencies, ...optionalDependencies })
  })
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const [, table] = readme.split('\n## Dependencies\n')
  const named = Array.from(table!.matchAll(/^\| ([^|]+) \|/gm), ([, cell]) => cell!.split(', '))
    .flat()
    .filter((name) => name !== 'Package')
  const isNamed = (name: string, row: string) =>
    row.endsWith('/*') ? name.startsWith(row.slice(0, -1)) : name === row
  assert.deepEqual(
    installed.filter((name) => !named.some((row) => isNamed(name, row))),
    [],
  )
  assert.deepEqual(
    named.filter((row) => !installed.some((name) => isNamed(name, row))),
    [],
  )
})

test('the documentation names no route that does not exist', async (t) => {
  const { app } = await openWorld(t)
  const known = app.routes.map(
    ({ method, path }) => new RegExp(`^${method} ${path.replace(/:\w+/g, '[^/]+')}$`),
  )
  assert.deepEqual(
    missing(/`((?:GET|POST|PATCH|PUT|DELETE) \/[^`\s?]+)/g, (name) => {
      const asked = name.replace(' /v1/', ' /').replace(/\/$/, '')
      return known.some((route) => route.test(asked))
    }),
    [],
  )
})
