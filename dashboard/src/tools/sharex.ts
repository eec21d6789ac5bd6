import { downloadText } from '../kit/download.ts'

/** A custom uploader of ShareX, which shortens URLs. The user puts a key in the place of the words. */
function toShareX(origin: string, keyPlace: string): string {
  const { host } = new URL(origin)
  const config = {
    Version: '17.0.0',
    Name: `Signpost (${host})`,
    DestinationType: 'URLShortener',
    RequestMethod: 'POST',
    RequestURL: `${origin}/v1/links`,
    Headers: { Authorization: `Bearer ${keyPlace}` },
    Body: 'JSON',
    Data: JSON.stringify({ name: 'ShareX', destinationUrl: '{input}' }),
    URL: '{json:data.shortUrl}',
    ErrorMessage: '{json:error.message}',
  }
  return `${JSON.stringify(config, null, 2)}\n`
}

export function downloadShareX(keyPlace: string): void {
  downloadText('signpost.sxcu', 'application/json', toShareX(location.origin, keyPlace))
}
