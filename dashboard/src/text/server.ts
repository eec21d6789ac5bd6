import type { messages } from './en/server.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/server.ts', { import: 'messages' }),
  shared,
)
