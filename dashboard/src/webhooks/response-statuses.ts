const NAMES: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** The statuses by which deliveries can be filtered. */
export const RESPONSE_STATUSES = [
  200, 400, 401, 403, 404, 410, 422, 429, 500, 502, 503, 504,
] as const

/** "404 Not Found": standards name statuses in English only. */
export function nameOfStatus(status: number): string {
  return `${status} ${NAMES[status] ?? ''}`.trim()
}
