import { CRAWLERS, CRAWLER_PHRASES, PREVIEWERS, PREVIEWER_PHRASES } from './bot-list.ts'

export type AgentKind = 'human' | 'bot' | 'preview'

const MAX_LENGTH = 512

/** Product names are looked up, never searched for, so the cost does not grow with the list. */
const KINDS: ReadonlyMap<string, AgentKind> = new Map([
  ...CRAWLERS.map((name) => [name.toLowerCase(), 'bot'] as const),
  ...PREVIEWERS.map((name) => [name.toLowerCase(), 'preview'] as const),
])

const TOKEN = /[a-z0-9][a-z0-9._-]*/g
const SEPARATOR = /[._-]/g

/** A program that calls itself one: `ExampleBot/1.0`, `/crawler.html`. Cubot makes telephones. */
const SAYS_SO = /(?<!^cu)(?:bot|crawler|spider)s?(?:$|[._-])/

/**
 * Who sent a request, by its user agent alone: `bot` is a crawler, monitor or scanner, `preview`
 * fetches a page to draw a card of it, and everything else is `human`. HTTP libraries, headless
 * browsers and an absent user agent are people's clients and count (contract, section 4).
 */
export function classifyAgent(userAgent: string): AgentKind {
  const agent = userAgent.slice(0, MAX_LENGTH).toLowerCase()
  if (PREVIEWER_PHRASES.some((phrase) => agent.includes(phrase))) return 'preview'
  let kind: AgentKind = 'human'
  for (const [token] of agent.matchAll(TOKEN)) {
    const found = classifyToken(token)
    // A previewer often names the crawlers it wants to be treated like (`TelegramBot (like TwitterBot)`).
    if (found === 'preview') return found
    if (found === 'bot') kind = found
  }
  if (kind === 'human' && CRAWLER_PHRASES.some((phrase) => agent.includes(phrase))) return 'bot'
  return kind
}

function classifyToken(token: string): AgentKind {
  const whole = KINDS.get(token)
  if (whole !== undefined) return whole
  for (const { index } of token.matchAll(SEPARATOR)) {
    const part = KINDS.get(token.slice(0, index))
    if (part !== undefined) return part
  }
  return SAYS_SO.test(token) ? 'bot' : 'human'
}
