// SECRET=whsec_… node receive.mjs: answers deliveries on port 4000, 204 when the signature holds.
import { createServer } from 'node:http'
import { verify } from './verify.mjs'

const seen = new Set()

createServer(async (req, res) => {
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  const rawBody = Buffer.concat(chunks)
  const header = req.headers['x-service-signature'] ?? ''
  if (!verify(process.env.SECRET, header, rawBody)) return res.writeHead(401).end()
  const { id, type, attempt, data } = JSON.parse(rawBody)
  // A delivery may come more than once: what was handled already is answered and left alone.
  if (!seen.has(id)) console.log(type, `attempt ${attempt}`, JSON.stringify(data))
  seen.add(id)
  res.writeHead(204).end()
}).listen(Number(process.env.RECEIVER_PORT ?? 4000), '127.0.0.1')
