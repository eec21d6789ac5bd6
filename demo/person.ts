import { DAY_MS, type DemoClock } from './demo-clock.ts'

/** Shorter than an unused session lasts. */
const SESSION_MS = 6 * DAY_MS
const BROWSER =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'

export type Credentials = { email: string; password: string }

/** @returns the cookies of a new session, as the server sets them */
export async function signIn(
  origin: string,
  { email, password }: Credentials,
  userAgent = BROWSER,
): Promise<string[]> {
  const answer = await fetch(`${origin}/v1/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(`sign-in of ${email}: ${answer.status} ${await answer.text()}`)
  return answer.headers.getSetCookie()
}

/** A member at a browser, who calls the public API and signs in again when the session is over. */
export class Person {
  readonly #place: { origin: string; workspaceId: string; clock: DemoClock['clock'] }
  readonly #credentials: Credentials
  #cookie = ''
  #signedInAtMs = -Infinity

  constructor(
    place: { origin: string; workspaceId: string; clock: DemoClock['clock'] },
    credentials: Credentials,
  ) {
    this.#place = place
    this.#credentials = credentials
  }

  /**
   * The `data` of the answer; of its many shapes, few fields are read here.
   * @throws an error with the answer for a status other than 2xx
   */
  // eslint-disable-next-line typescript/no-explicit-any
  ask(method: string, path: string, body?: unknown): Promise<any> {
    return body === undefined
      ? this.#send(method, path, {})
      : this.#send(method, path, { 'content-type': 'application/json' }, JSON.stringify(body))
  }

  // eslint-disable-next-line typescript/no-explicit-any
  upload(path: string, filename: string, png: Buffer): Promise<any> {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), filename)
    return this.#send('POST', path, {}, form)
  }

  async #send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | FormData | null = null,
    // eslint-disable-next-line typescript/no-explicit-any
  ): Promise<any> {
    const { origin, workspaceId, clock } = this.#place
    if (Math.abs(clock() - this.#signedInAtMs) > SESSION_MS) {
      const cookies = await signIn(origin, this.#credentials)
      this.#cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ')
      this.#signedInAtMs = clock()
    }
    const response = await fetch(`${origin}/v1${path}`, {
      method,
      headers: {
        origin,
        cookie: this.#cookie,
        'user-agent': BROWSER,
        'x-signpost-workspace': workspaceId,
        ...headers,
      },
      body,
    })
    const answer = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`)
    return answer === '' ? null : JSON.parse(answer).data
  }
}
