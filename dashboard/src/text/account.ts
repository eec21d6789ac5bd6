import type { messages } from './en/account.ts'
import { load } from './load.ts'
import { text as shell } from './shell.ts'
import { text as signIn } from './sign-in.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/account.ts', { import: 'messages' }),
  shell,
  signIn,
)
