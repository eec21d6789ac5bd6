const FIRST_WORD = /^[a-z][A-Za-z0-9]*(?=[ :])/

/**
 * A message of the API as a sentence. Many begin with the name of a field, as programs know it:
 * "destinationUrl must have at most 2048 characters.".
 * @param paths fields that the message may name
 */
export function toSentence(message: string, paths: readonly string[] = []): string {
  const name = paths.find((path) => begins(message, path)) ?? FIRST_WORD.exec(message)?.[0]
  return name ? `${toWords(name)}${message.slice(name.length)}` : message
}

/** The same below the field itself, which has its own label. */
export function toFieldSentence(message: string, path: string): string {
  if (!begins(message, path)) return toSentence(message)
  const rest = message.slice(path.length)
  return rest.startsWith(': ') ? toSentence(rest.slice(2)) : `This${rest}`
}

function begins(message: string, path: string): boolean {
  return path !== '' && (message.startsWith(`${path} `) || message.startsWith(`${path}: `))
}

/** `rules.0.destinationUrl`: Rules 1 destination URL. */
function toWords(name: string): string {
  const words = name
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part))
    .join(' ')
    .replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll(/\b(?:url|utm)\b/g, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
