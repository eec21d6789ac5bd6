import type { messages } from './en/imports.ts'
import { load } from './load.ts'
import { text as shell } from './shell.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/imports.ts', { import: 'messages' }),
  shell,
)
