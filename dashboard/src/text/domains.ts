import type { messages } from './en/domains.ts'
import { load } from './load.ts'
import { text as states } from './states.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/domains.ts', { import: 'messages' }),
  states,
)
