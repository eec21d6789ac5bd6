import type { messages } from './en/logs.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/logs.ts', { import: 'messages' }),
  shared,
)
