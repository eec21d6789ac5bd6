import { forgetAccount, openClient, saveAccount } from './account.ts'
import { textOption, UserError, type Command } from './command.ts'

export const login: Command = {
  summary: 'sign in to a server with an API key',
  options: {
    url: { type: 'string', value: 'URL', about: 'the server: https://links.example.com' },
    key: { type: 'string', value: 'KEY', about: 'the API key; without it, a line of the input' },
  },
  async run(io, given) {
    const url = textOption(given, 'url') ?? io.env['SIGNPOST_URL']
    if (url === undefined)
      throw new UserError('login needs --url URL, the address of your Signpost server.')
    if (textOption(given, 'key') === undefined)
      io.note(`Create an API key in the settings of ${url}, and paste it here:`)
    const key = (textOption(given, 'key') ?? (await io.readLine())).trim()
    // Checks the key: every key may call this route.
    await openClient({ url, key }).geoip.locate()
    const file = saveAccount(io.env, { url, key })
    return { data: { url, file }, text: `Signed in to ${url}; the key is in ${file}.` }
  },
}

export const logout: Command = {
  summary: 'forget the API key',
  async run(io) {
    const file = forgetAccount(io.env)
    return { data: { file }, text: 'Signed out; revoke the key in the settings of the dashboard.' }
  },
}
