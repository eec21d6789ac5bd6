import type { messages } from './en/api-keys.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/api-keys.ts', { import: 'messages' }),
  shared,
)
