import type { messages } from './en/alerts.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/alerts.ts', { import: 'messages' }),
  shared,
)
