import type { messages } from './en/billing.ts'
import { load } from './load.ts'
import { text as states } from './states.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/billing.ts', { import: 'messages' }),
  states,
)
