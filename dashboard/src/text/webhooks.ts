import type { messages } from './en/webhooks.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/webhooks.ts', { import: 'messages' }),
  shared,
)
