import type { messages } from './en/tools.ts'
import { load } from './load.ts'
import { text as shell } from './shell.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/tools.ts', { import: 'messages' }),
  shell,
)
