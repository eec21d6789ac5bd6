import { createServer } from 'node:net'

/** A port of 127.0.0.1 that was free a moment ago, for a server whose port must be known before it starts. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
