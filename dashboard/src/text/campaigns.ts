import type { messages } from './en/campaigns.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/campaigns.ts', { import: 'messages' }),
  shared,
)
