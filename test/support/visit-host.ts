import { get } from 'node:http'

/** Status and Location of the answer to a visitor who calls the server by this host. */
export function visitHost(
  url: string,
  host: string,
): Promise<[number | undefined, string | undefined]> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { headers: { host }, agent: false }, (answer) => {
      answer.resume()
      resolve([answer.statusCode, answer.headers.location])
    })
    sent.on('error', reject)
  })
}
