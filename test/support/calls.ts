export type Answer = {
  status: number
  headers: Headers
  text: string
  /** The parsed JSON body; undefined without one. */
  // eslint-disable-next-line typescript/no-explicit-any
  body: any
}

type HeaderValues = Record<string, string>

/** The verbs under `/v1`. A body of bytes is sent as it is, any other one as JSON. */
export type Calls = {
  send(method: string, path: string, body?: unknown, headers?: HeaderValues): Promise<Answer>
  get(path: string, headers?: HeaderValues): Promise<Answer>
  post(path: string, body?: unknown, headers?: HeaderValues): Promise<Answer>
  patch(path: string, body?: unknown): Promise<Answer>
  delete(path: string, body?: unknown): Promise<Answer>
}

export async function fetchAnswer(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  }
}

function isBytes(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array
}

/** With an API key. */
export function callsWith(apiKey: string, origin: string): Calls {
  return callsAs(origin, () => ({ authorization: `Bearer ${apiKey}` }))
}

/** @param credential returns the headers that identify the caller, before each call */
export function callsAs(
  origin: string,
  credential: () => HeaderValues,
  onAnswer: (answer: Answer) => void = () => {},
): Calls {
  const send: Calls['send'] = async (method, path, body, headers = {}) => {
    const answer = await fetchAnswer(`${origin}/v1${path}`, {
      method,
      headers: {
        ...credential(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isBytes(body) ? body : JSON.stringify(body) }),
    })
    onAnswer(answer)
    return answer
  }
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path, body) => send('DELETE', path, body),
  }
}

/** A browser without pages: it keeps cookies, and sends an Origin. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly calls: Calls

  constructor(origin: string) {
    this.calls = callsAs(
      origin,
      () => ({ origin, ...(this.cookies.size > 0 && { cookie: this.cookie }) }),
      ({ headers }) => this.keep(headers),
    )
  }

  get cookie(): string {
    return Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ')
  }

  keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (line.includes('Max-Age=0')) this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
  }
}

/** Reads the token of the mail to an address. */
type ReadToken = (email: string) => Promise<string>

/** Signs up, verifies the address with the token of the mail, and signs in with the password. */
export async function signUpAndIn(
  origin: string,
  { email, password, name }: { email: string; password: string; name: string },
  readToken: ReadToken,
): Promise<Browser> {
  const browser = new Browser(origin)
  const { calls } = browser
  await must(201, calls.post('/auth/sign-up/email', { name, email, password }))
  await must(200, calls.post('/auth/verify-email', { token: await readToken(email) }))
  await must(204, calls.post('/auth/sign-out'))
  await must(200, calls.post('/auth/sign-in/email', { email, password }))
  return browser
}

/** @throws unless the response has this status */
export async function must(status: number, call: Promise<Answer>): Promise<Answer> {
  const answer = await call
  if (answer.status !== status)
    throw new Error(`${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`)
  return answer
}
