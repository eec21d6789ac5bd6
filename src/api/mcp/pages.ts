import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../../platform/config/checkout.ts'

/** What an agent needs to use the tools well. */
const PAGES = {
  api: 'Requests, answers, errors and limits of the API',
  links: 'Links and all of their options',
  'deep-links': 'Links into apps',
  analytics: 'How clicks and visitors are counted',
  'analytics-events': 'The log of clicks',
  conversions: 'Conversions and their attribution',
  domains: 'Domains, DNS records and certificates',
  import: 'Imports from files and other services',
  webhooks: 'Events, signatures, retries and replays',
  limits: 'Every limit of the server',
  mcp: 'This MCP server',
} as const satisfies Record<string, string>

const PREFIX = 'signpost://docs/'
const TYPE = 'text/markdown'

export function listPages() {
  return Object.entries(PAGES).map(([name, title]) => ({
    uri: `${PREFIX}${name}`,
    name,
    title,
    mimeType: TYPE,
  }))
}

/** Null for an unknown page. */
export async function readPage(uri: string) {
  const name = uri.slice(PREFIX.length)
  if (!uri.startsWith(PREFIX) || !Object.hasOwn(PAGES, name)) return null
  const text = await readFile(join(ROOT, 'docs', `${name}.md`), 'utf8')
  return { uri, mimeType: TYPE, text }
}
