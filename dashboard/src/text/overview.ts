import type { messages } from './en/overview.ts'
import { load } from './load.ts'
import { text as states } from './states.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/overview.ts', { import: 'messages' }),
  states,
)
