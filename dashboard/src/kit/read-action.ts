/** `webhook.secret_viewed` reads "Webhook secret viewed", and `api_key.created` "API key created". */
export function readAction(action: string): string {
  const words = action.replace(/[._]/g, ' ').replace(/^api /, 'API ')
  return (words[0]?.toUpperCase() ?? '') + words.slice(1)
}
