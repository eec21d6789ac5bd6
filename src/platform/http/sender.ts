import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** The client of a request, as the process saw it that accepted its connection. */
export type Sender = {
  /** Undefined once the client has disconnected. */
  address: string | undefined
  /** Whether the client uses TLS up to this server. */
  isEncrypted: boolean
}

const SENDER = Symbol('sender')

type Received = IncomingMessage & { [SENDER]?: Sender }

/** Gives a request that another process handed on the sender that it has there. */
export function setSender(req: IncomingMessage, sender: Sender): void {
  ;(req as Received)[SENDER] = sender
}

/** The address of the peer: the client, or the nearest proxy. */
export function addressOf(req: IncomingMessage): string | undefined {
  const sender = (req as Received)[SENDER]
  return sender === undefined ? req.socket.remoteAddress : sender.address
}

export function isEncrypted(req: IncomingMessage): boolean {
  const sender = (req as Received)[SENDER]
  return sender?.isEncrypted ?? (req.socket as Socket & { encrypted?: boolean }).encrypted === true
}
