import type { messages } from './en/settings.ts'
import { load } from './load.ts'
import { text as shell } from './shell.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/settings.ts', { import: 'messages' }),
  shell,
)
