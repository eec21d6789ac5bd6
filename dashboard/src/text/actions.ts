import type { messages } from './en/actions.ts'
import { load } from './load.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/actions.ts', { import: 'messages' }),
)
