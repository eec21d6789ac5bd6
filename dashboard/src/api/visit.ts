import type { Schemas } from './client.ts'

export type SharedDashboard = Schemas['PublicDashboard']

/** The answer to a visitor of a shared dashboard. */
export type Visit =
  | { kind: 'shown'; data: SharedDashboard }
  | { kind: 'locked'; isWrong: boolean }
  | { kind: 'gone' }
  /** Seconds to wait before the next attempt; null: unknown. */
  | { kind: 'failed'; retryAfter: number | null }

/** Reads a shared dashboard, without the session of the dashboard. Never rejects. */
export async function visitDashboard(token: string, password: string | null): Promise<Visit> {
  const headers: Record<string, string> =
    password === null ? {} : { 'x-dashboard-password': toHeaderValue(password) }
  try {
    const path = `/v1/public/dashboards/${encodeURIComponent(token)}`
    const response = await fetch(path, { headers, cache: 'no-store' })
    if (response.ok) {
      const { data } = (await response.json()) as { data: SharedDashboard }
      return { kind: 'shown', data }
    }
    if (response.status === 404) return { kind: 'gone' }
    if (response.status === 401) return { kind: 'locked', isWrong: password !== null }
    return { kind: 'failed', retryAfter: Number(response.headers.get('retry-after')) || null }
  } catch {
    return { kind: 'failed', retryAfter: null }
  }
}

/** A header takes one byte for each character: those of the text in UTF-8. */
function toHeaderValue(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}
