/** `webhook.secret_viewed` reads "Webhook secret viewed". */
export function readAction(action: string): string {
  const words = action.replace(/[._]/g, ' ')
  return (words[0]?.toUpperCase() ?? '') + words.slice(1)
}
