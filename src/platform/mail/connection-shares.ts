import type { MailClass } from './templates.ts'

type Waiting = { start: () => void; refuse: (error: Error) => void }

/**
 * Shares the connections to the mail server. Account mails go before workspace mails, each class in
 * order of arrival. One connection is reserved for account mails, so a slow server that holds the
 * workspace mails delays none of them.
 */
export function createConnectionShares(connections: number) {
  const waiting: Record<MailClass, Waiting[]> = { account: [], workspace: [] }
  const inUse: Record<MailClass, number> = { account: 0, workspace: 0 }
  let isClosed = false
  return { use, close }

  /** Runs `work` as soon as its class has a connection. @throws Error after {@link close} */
  async function use<T>(mailClass: MailClass, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start, refuse) => {
      if (isClosed) return refuse(new Error('The mail connections are closed.'))
      waiting[mailClass].push({ start, refuse })
      startNext()
    })
    try {
      return await work()
    } finally {
      inUse[mailClass] -= 1
      startNext()
    }
  }

  function startNext(): void {
    for (const mailClass of ['account', 'workspace'] as const)
      while (waiting[mailClass].length > 0 && isFree(mailClass)) {
        inUse[mailClass] += 1
        waiting[mailClass].shift()!.start()
      }
  }

  function isFree(mailClass: MailClass): boolean {
    if (inUse.account + inUse.workspace >= connections) return false
    return mailClass === 'account' || inUse.workspace < connections - 1
  }

  function close(): void {
    isClosed = true
    for (const { refuse } of [...waiting.account.splice(0), ...waiting.workspace.splice(0)])
      refuse(new Error('The mail connections are closed.'))
  }
}
