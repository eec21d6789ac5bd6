import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'

/**
 * A bare `node:http` that sends one answer, in a process of its own: `page-server.ts <file>`, with the answer as JSON. Prints
 * its port; ends with its standard input.
 */
export type FixedAnswer = { headers: Record<string, string>; body: string }

const { headers, body } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as FixedAnswer
const bytes = Buffer.from(body)
const server = createServer((_req, res) => {
  res.writeHead(200, headers)
  res.end(bytes)
}).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as { port: number }).port}\n`)
})
process.stdin.on('end', () => process.exit())
process.stdin.resume()
