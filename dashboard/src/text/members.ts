import type { messages } from './en/members.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/members.ts', { import: 'messages' }),
  shared,
)
