import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EVENT_TYPES, getCatalogRow } from '../../webhooks/events.ts'
import {
  builtInPlans,
  CAPABILITY_NAMES,
  LIMIT_NAMES,
  type Capability,
  type LimitName,
} from '../../platform/plans/plan.ts'
import { ROUTED } from '../../resources.ts'
import {
  renderConfigurationDoc,
  renderEnvExample,
  renderLimitsDoc,
} from '../../platform/config/docs.ts'
import { say } from './command.ts'
import { renderCommandsDoc } from './help.ts'

/** Pages with a generated table. `<!-- table: NAME -->` opens it, `<!-- end -->` closes it. */
export const PAGES_WITH_TABLES = ['docs/plans.md', 'docs/accounts.md', 'docs/webhooks.md']

const TABLES: Readonly<Record<string, () => string>> = { plans, scopes, events }

export async function config(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { write: { type: 'boolean', default: false } } })
  if (!values.write) return say(renderEnvExample())
  const root = join(import.meta.dirname, '../../..')
  writeFileSync(join(root, '.env.example'), renderEnvExample())
  writeFileSync(join(root, 'docs/configuration.md'), renderConfigurationDoc())
  writeFileSync(join(root, 'docs/limits.md'), renderLimitsDoc())
  writeFileSync(join(root, 'docs/commands.md'), renderCommandsDoc())
  for (const page of PAGES_WITH_TABLES)
    writeFileSync(join(root, page), writeTables(readFileSync(join(root, page), 'utf8')))
}

export function writeTables(page: string): string {
  return page.replace(
    /(<!-- table: (\w+) -->\n)[^]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => `${start}\n${TABLES[name]!()}\n${end}`,
  )
}

function plans(): string {
  const all = builtInPlans()
  const enforced: (LimitName | Capability)[] = [
    'api_requests_monthly',
    'analytics_retention_days',
    ...ROUTED.flatMap(({ limits = [], capabilities = [] }) => [...limits, ...capabilities]),
  ]
  const rows = [
    ...LIMIT_NAMES.map((name) => [name, ...all.map(({ limits }) => limits[name] ?? '∞')] as const),
    ...CAPABILITY_NAMES.map(
      (name) => [name, ...all.map(({ capabilities }) => (capabilities[name] ? '✓' : ''))] as const,
    ),
  ]
  return table(
    ['', ...all.map(({ id }) => `\`${id}\``), 'Enforced'],
    rows.map(([name, ...cells]) => [`\`${name}\``, ...cells, enforced.includes(name) ? '✓' : '']),
  )
}

function scopes(): string {
  const rows = ROUTED.flatMap(({ scopes: declared = {} }) =>
    Object.entries(declared).flatMap(([name, verbs]) =>
      Object.entries(verbs).map(([verb, allows]) => [`\`${name}:${verb}\``, allows]),
    ),
  )
  return table(
    ['Scope', 'Lets a key'],
    [['`*`', 'do everything'], ['`*:read`', 'read everything'], ...rows],
  )
}

function events(): string {
  const rows = EVENT_TYPES.map((type) => [`\`${type}\``, getCatalogRow(type).description])
  return table(['Type', 'When'], rows)
}

type Row = readonly (string | number)[]

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |\n`
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('')
}
