import { CRAWLERS, CRAWLER_PHRASES, PREVIEWERS, PREVIEWER_PHRASES } from './bot-list.ts'

export type AgentKind = 'human' | 'bot' | 'preview'

const MAX_LENGTH = 512

/** A map of whole names, so that the cost does not grow with the list. */
const KINDS: ReadonlyMap<string, AgentKind> = new Map([
  ...CRAWLERS.map((name) => [name.toLowerCase(), 'bot'] as const),
  ...PREVIEWERS.map((name) => [name.toLowerCase(), 'preview'] as const),
])

const TOKEN = /[a-z0-9][a-z0-9._-]*/g
const SEPARATOR = /[._-]/g

/** Names such as `ExampleBot/1.0` and `/crawler.html`. Cubot is a maker of phones. */
const BOT_NAME = /(?<!^cu)(?:bot|crawler|spider)s?(?:$|[._-])/

/**
 * Kind of a client by its user agent: `bot` is a crawler, monitor or scanner, `preview` fetches a
 * page to draw a card of it, and everything else is `human`, including HTTP libraries, headless
 * browsers and an absent user agent.
 */
export function classifyAgent(userAgent: string): AgentKind {
  const agent = userAgent.slice(0, MAX_LENGTH).toLowerCase()
  if (PREVIEWER_PHRASES.some((phrase) => agent.includes(phrase))) return 'preview'
  let kind: AgentKind = 'human'
  for (const [token] of agent.matchAll(TOKEN)) {
    const found = classifyToken(token)
    // Previewers often name the crawlers that they imitate (`TelegramBot (like TwitterBot)`).
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
  return BOT_NAME.test(token) ? 'bot' : 'human'
}
