/** The tags of a query, separated by commas. */
export function splitTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim().normalize('NFC'))
    .filter((tag) => tag !== '')
}
