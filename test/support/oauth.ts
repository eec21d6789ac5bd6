import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'

export const CALLBACK = 'http://127.0.0.1:47123/callback'

type Kept = {
  client?: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
  tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>
  verifier?: string
  asked?: URL
}

/** An agent that signs in as the official SDK does, and keeps what it gets in `kept`. */
export function openAgent(
  t: TestContext,
  origin: string,
  { name = 'Test agent', redirectUrl = CALLBACK, documentUrl = '' } = {},
) {
  const kept: Kept = {}
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(documentUrl && { clientMetadataUrl: documentUrl }),
    clientMetadata: {
      client_name: name,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'a state with = and &',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    invalidateCredentials: () => void delete kept.tokens,
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier!,
    redirectToAuthorization: (url) => void (kept.asked = url),
  }
  const transport = () =>
    new StreamableHTTPClientTransport(new URL('/mcp', origin), { authProvider: provider })
  return {
    kept,
    /** @returns where the browser of the user goes */
    async ask(): Promise<string> {
      const client = new Client({ name: 'test', version: '1.0.0' })
      await assert.rejects(client.connect(transport()), UnauthorizedError)
      return kept.asked!.href
    },
    /** @param returnedTo where the browser was sent by the user's answer */
    async finish(returnedTo: string): Promise<void> {
      await transport().finishAuth(new URL(returnedTo).searchParams)
    },
    async toolNames(): Promise<string[]> {
      const client = new Client({ name: 'test', version: '1.0.0' })
      await client.connect(transport())
      t.after(() => client.close())
      const { tools } = await client.listTools()
      return tools.map((tool) => tool.name)
    },
  }
}
