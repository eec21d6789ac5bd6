import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ERRORS } from '../src/base/errors.ts'
import { SETTINGS } from '../src/config/config.ts'
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
        (name) => settings.has(name) || name in ERRORS,
      ),
      ...missing(/signpost -- ([a-z-]+)/g, (name) => new RegExp(`^  ${name}( |$)`, 'm').test(help)),
    ],
    [],
  )
})

test('the README names every package that is installed, and no other', () => {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  )
  const installed = Object.keys({ ...dependencies, ...optionalDependencies })
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
