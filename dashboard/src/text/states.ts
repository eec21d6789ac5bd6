import type { messages } from './en/states.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/states.ts', { import: 'messages' }),
  shared,
)
