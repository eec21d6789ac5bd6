import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const FOLDER = join(import.meta.dirname, '../../../migrations')

/** Name and checksum of each released file, as `sha256sum` writes them. */
const RELEASED = new Map(
  readFileSync(join(FOLDER, 'released.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [checksum, name] = line.split('  ')
      return [name!, checksum!] as const
    }),
)
const FILES = ['postgres', 'clickhouse'].flatMap((engine) =>
  readdirSync(join(FOLDER, engine)).map((file) => `${engine}/${file}`),
)

/**
 * Statements that break processes of the release before, which run on the same schema during an upgrade. A file
 * with one says in a line `-- contract: …` which release has stopped using it.
 */
const CONTRACTS =
  /\bdrop (table|column|view|function|constraint)\b|\brename\b|\balter (column )?\w+ (set data )?type\b|\bset not null\b|\badd column (if not exists )?\w+ (?![^,;]*\bdefault\b)[^,;]*\bnot null\b/i

function breaksFormerRelease(text: string): boolean {
  const code = text.replaceAll(/--.*$/gm, '')
  return CONTRACTS.test(code) && !/^-- contract: \S/m.test(text)
}

test('a released migration never changes', () => {
  assert.ok(RELEASED.size >= 16)
  const changed = [...RELEASED].filter(([name, checksum]) => {
    const text = FILES.includes(name) ? readFileSync(join(FOLDER, name)) : ''
    return createHash('sha256').update(text).digest('hex') !== checksum
  })
  assert.deepEqual(changed, [])
})

test('a new migration comes after every released one', () => {
  const numberOf = (name: string) => Number(/\/(\d{4})_/.exec(name)![1])
  for (const engine of ['postgres', 'clickhouse']) {
    const released = [...RELEASED.keys()].filter((name) => name.startsWith(engine))
    const last = Math.max(...released.map(numberOf))
    const between = FILES.filter(
      (name) => name.startsWith(engine) && !RELEASED.has(name) && numberOf(name) < last,
    )
    assert.deepEqual(between, [])
  }
})

test('a new migration expands the schema, or names the release that it waited for', () => {
  const breaking = FILES.filter((name) => !RELEASED.has(name)).filter((name) =>
    breaksFormerRelease(readFileSync(join(FOLDER, name), 'utf8')),
  )
  assert.deepEqual(breaking, [])
})

test('the rule finds what a former release cannot run on', () => {
  for (const text of [
    'alter table links drop column name;',
    'alter table links rename column name to title;',
    'alter table links add column title text not null;',
    'alter table links alter column name type int;',
    'drop table links;',
  ])
    assert.ok(breaksFormerRelease(text), text)
  for (const text of [
    'alter table links add column title text;',
    "alter table links add column title text not null default '';",
    'create table notes (id text not null);',
    '-- drop table links;',
    '-- contract: unused since 1.4\ndrop table links;',
  ])
    assert.ok(!breaksFormerRelease(text), text)
})
