import { setTimeout as sleep } from 'node:timers/promises'
import { forgetAccount, openClient, readAccount, saveAccount } from './account.ts'
import { plain, textOption, UserError, type Command, type Io } from './command.ts'
import { requestOAuth } from './oauth.ts'

const CLIENT_ID = 'signpost-cli'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** What the commands and the tools for agents need. */
const SCOPES =
  'links:write analytics:read campaigns:write domains:read webhooks:write conversions:write'

export const login: Command = {
  summary: 'sign in to a server, in the browser or with an API key',
  options: {
    url: { type: 'string', value: 'URL', about: 'the server: https://links.example.com' },
    scopes: { type: 'string', value: 'A,B', about: 'what to ask for: links:write,analytics:read' },
    key: { type: 'string', value: 'KEY', about: 'an API key, in place of the browser' },
  },
  async run(io, given) {
    const url = textOption(given, 'url') ?? io.env['SIGNPOST_URL']
    if (url === undefined)
      throw new UserError('login needs --url URL, the address of your Signpost server.')
    const scopes = textOption(given, 'scopes')?.replaceAll(',', ' ') ?? SCOPES
    const key = textOption(given, 'key') ?? (await askForKey(io, url, scopes))
    // Checks the key: every key may call this route.
    await openClient({ url, key }).geoip.locate()
    const file = saveAccount(io.env, { url, key })
    return { data: { url, file }, text: `Signed in to ${url}; the key is in ${file}.` }
  },
}

/** Without a terminal there is nobody to ask: the key is a line of the input. */
async function askForKey(io: Io, url: string, scopes: string): Promise<string> {
  if (io.isTerminal) return askInBrowser(io, url, scopes)
  for await (const line of io.lines()) if (line.trim() !== '') return line.trim()
  throw new UserError('login needs --key KEY, or the key in the input, where there is no terminal.')
}

/** Shows a code until the user has allowed it in the browser (RFC 8628). */
async function askInBrowser(io: Io, url: string, scope: string): Promise<string> {
  const fields = { client_id: CLIENT_ID, scope }
  const device = await requestOAuth(url, 'device', fields)
  if ('error' in device) throw new UserError(plain(device['error_description'] ?? device['error']!))
  const page = device['verification_uri_complete']!
  io.note(`Open ${plain(page)}\nand allow the code ${plain(device['user_code']!)}. Waiting…`)
  io.openInBrowser(page)
  const pauseMs = Number(device['interval'] ?? 5) * 1_000
  for (;;) {
    await sleep(pauseMs, undefined, { signal: io.signal })
    const answer = await requestOAuth(url, 'token', {
      grant_type: DEVICE_GRANT,
      client_id: CLIENT_ID,
      device_code: device['device_code']!,
    })
    if (answer['access_token'] !== undefined) return answer['access_token']
    if (answer['error'] !== 'authorization_pending')
      throw new UserError(plain(answer['error_description'] ?? 'The sign-in was refused.'))
  }
}

export const logout: Command = {
  summary: 'forget the key, and revoke it if it comes from the browser',
  async run(io) {
    const account = readAccount(io.env)
    const file = forgetAccount(io.env)
    await requestOAuth(account.url, 'revoke', { token: account.key })
    const text = 'Signed out. A key from the settings stays valid until you revoke it there.'
    return { data: { file }, text }
  },
}
