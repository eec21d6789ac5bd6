import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callTool } from './call.ts'
import { listPages, readPage } from './pages.ts'
import { mayUse, type Tool } from './tools.ts'

type Message = {
  app: FastifyInstance
  tools: ReadonlyMap<string, Tool>
  version: string
  request: FastifyRequest
}

const INSTRUCTIONS = `Signpost shortens links, counts their clicks and sends webhooks. Everything happens in the workspace of the API key.
Ids begin with their kind: lnk_ for links, cmp_ for campaigns, dom_ for domains, whe_ for webhook endpoints, dlv_ for deliveries, und_ for undo.
Times are ISO 8601. Lists have limit and offset: ask for no more rows than you need. An error says what to change.`

/** Headers by which the protocol checks a message. */
const PROTOCOL_HEADER = /^(accept|content-type|mcp-.*)$/

export async function answerMessage(message: Message) {
  const { raw, body } = message.request
  const handler = createMcpHandler(() => createServer(message), {
    // Nothing is announced, so no stream is kept open.
    maxSubscriptions: 0,
    onerror: (error) => message.request.log.debug({ err: error }, 'a message was refused'),
  })
  const sent = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: Object.entries(raw.headers).flatMap(([name, value]) =>
      PROTOCOL_HEADER.test(name) && typeof value === 'string' ? [[name, value]] : [],
    ) as [string, string][],
    signal: message.request.untilAnswered,
  })
  const answer = await handler.fetch(sent, { parsedBody: body ?? null })
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? 'application/json',
    text: await answer.text(),
  }
}

function createServer({ app, tools, version, request }: Message): Server {
  const server = new Server(
    { name: 'signpost', title: 'Signpost', version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  )
  const principal = request.caller!.principal!
  server.setRequestHandler('tools/list', () => ({
    tools: [...tools.values()].filter((tool) => mayUse(principal, tool)).map(({ shown }) => shown),
  }))
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = tools.get(params.name)
    if (!tool)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no tool of this name.')
    return callTool(app, tool, params.arguments ?? {}, request)
  })
  server.setRequestHandler('resources/list', () => ({ resources: listPages() }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const page = await readPage(uri)
    if (!page) throw new ResourceNotFoundError(uri)
    return { contents: [page] }
  })
  return server
}
