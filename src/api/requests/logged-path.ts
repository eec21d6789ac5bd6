const WORD = /^[a-z-]*$/
/** `lnk_` and a ULID; `del_` and 32 hexadecimal digits. */
const ID = /^[a-z]{2,4}_([0-9A-Z]{26}|[0-9a-f]{32})$/
const MAX_CHARS = 21
/** A token follows these segments. */
const BEFORE_TOKEN = /^\/(v1\/public\/dashboards|share)\/[^/]+/

/**
 * The path of a request for log lines: without the query, and without segments that may be a token
 * (`/v1/invitations/…/accept`), which is any longer text that is not an id.
 */
export function loggedPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path
    .replace(BEFORE_TOKEN, '/$1/[redacted]')
    .split('/')
    .map((part) =>
      part.length <= MAX_CHARS || WORD.test(part) || ID.test(part) ? part : '[redacted]',
    )
    .join('/')
}
