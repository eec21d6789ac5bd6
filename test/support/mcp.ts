import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'

/** The parts of an answer that tests read. */
// eslint-disable-next-line typescript/no-explicit-any
export type ToolAnswer = { isError?: boolean; structuredContent?: any; content: any[] }

/** The official client, which checks every result against the output schema of its tool. */
export async function openMcp(
  t: TestContext,
  origin: string,
  apiKey: string,
  options: ClientOptions = {},
) {
  const client = new Client({ name: 'test', version: '1.0.0' }, options)
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', origin), {
    requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
  })
  await client.connect(transport)
  t.after(() => client.close())
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })) as ToolAnswer
  return {
    client,
    call,
    /** The whole answer of the route. */
    async ask(name: string, args?: Record<string, unknown>) {
      const answer = await call(name, args)
      assert.ok(!answer.isError, JSON.stringify(answer.content))
      return answer.structuredContent
    },
    /** The error that the agent reads. */
    async refusal(name: string, args?: Record<string, unknown>) {
      const answer = await call(name, args)
      assert.equal(answer.isError, true, JSON.stringify(answer))
      return JSON.parse(answer.content[0].text).error
    },
    async toolNames() {
      const { tools } = await client.listTools()
      return tools.map(({ name }) => name)
    },
  }
}
