import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** The client of a request, as seen by the process that accepted the connection. */
export type Sender = {
  /** Undefined once the client has disconnected. */
  address: string | undefined
  isEncrypted: boolean
}

const SENDER = Symbol('sender')

type Received = IncomingMessage & { [SENDER]?: Sender }

export function setSender(req: IncomingMessage, sender: Sender): void {
  ;(req as Received)[SENDER] = sender
}

export function addressOf(req: IncomingMessage): string | undefined {
  const sender = (req as Received)[SENDER]
  return sender === undefined ? req.socket.remoteAddress : sender.address
}

export function isEncrypted(req: IncomingMessage): boolean {
  const sender = (req as Received)[SENDER]
  return sender?.isEncrypted ?? (req.socket as Socket & { encrypted?: boolean }).encrypted === true
}
