import { useMutation, type QueryKey } from '@tanstack/react-query'
import { useContext } from 'react'
import { WorkspaceContext } from '../api/workspace.ts'
import { showToast } from './toast.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** The cache of mutations acts on it, in shell/query-client.ts. */
    mutationMeta: {
      /** Answers to read again after the change. */
      refreshes: readonly QueryKey[]
      /** A refusal is told in a message, since nothing of the page shows it. */
      tellsErrors: boolean
    }
  }
}

export type ActionOptions<Result, Args> = {
  /** Everything of the workspace when absent. */
  refreshes?: readonly QueryKey[]
  /** The page shows `error` itself. */
  showsErrors?: boolean
  /** The message of a success. */
  told?: ((result: Result, args: Args) => string | undefined) | undefined
  /** Takes the change back, from its message; a text that it answers is the next message. */
  undo?: (result: Result, args: Args) => (() => Promise<unknown>) | null | undefined
  /** After the answers were read again. */
  onDone?: ((result: Result, args: Args) => unknown) | undefined
}

/** A change on the server: reads again what it makes stale, and tells its outcome. */
export function useAction<Result, Args = void>(
  run: (args: Args) => Promise<Result>,
  { refreshes, showsErrors = false, told, undo, onDone }: ActionOptions<Result, Args> = {},
) {
  const workspace = useContext(WorkspaceContext)
  const stale = refreshes ?? (workspace ? [[workspace.id]] : [])
  const takeBack = useMutation({
    mutationFn: (back: () => Promise<unknown>) => back(),
    meta: { refreshes: stale, tellsErrors: true },
    onSuccess: (message) => typeof message === 'string' && showToast(message),
  })
  return useMutation({
    mutationFn: run,
    meta: { refreshes: stale, tellsErrors: !showsErrors },
    onSuccess: (result, args) => {
      const message = told?.(result, args)
      const back = undo?.(result, args)
      if (message !== undefined)
        showToast(message, { undo: back ? () => takeBack.mutate(back) : null })
      return onDone?.(result, args)
    },
  })
}
