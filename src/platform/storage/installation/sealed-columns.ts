export type SealedColumn = {
  readonly table: string
  readonly key: string
  readonly column: string
  readonly purpose: string
  readonly boundTo: (key: string) => string
}

function sealed(
  table: string,
  column: string,
  purpose: string,
  { key = 'id', place = table }: { key?: string; place?: string } = {},
): SealedColumn {
  return { table, key, column, purpose, boundTo: (value) => `${place}:${value}` }
}

export const ENDPOINT_SECRET = sealed('webhook_endpoints', 'secret_sealed', 'webhook-secret')

/** Moved here, still sealed, by a rotation with an overlap. */
const PREVIOUS_ENDPOINT_SECRET = { ...ENDPOINT_SECRET, column: 'previous_secret_sealed' }

export const ENDPOINT_HEADERS = sealed('webhook_endpoints', 'headers_sealed', 'webhook-headers', {
  place: 'webhook_endpoints.headers',
})

export const KEPT_ANSWER = sealed('idempotency_keys', 'answer_sealed', 'kept-answer')

export const REPORT_CHUNK = sealed('report_chunks', 'content_sealed', 'report')

export const TOTP_SECRET = sealed('two_factor', 'secret_sealed', 'totp', {
  key: 'user_id',
  place: 'totp',
})

export const DASHBOARD_TOKEN = sealed('dashboards', 'token_sealed', 'dashboard-token', {
  place: 'dashboards.token',
})

export const TLS_ACCOUNT_KEY = sealed('tls_accounts', 'key_sealed', 'tls-account', {
  key: 'directory',
})

export const TLS_KEY = sealed('tls_certificates', 'key_sealed', 'tls-key', { key: 'hostname' })

const TLS_ORDER_KEY = { ...TLS_KEY, column: 'order_key_sealed' }

/** Keys of a former SECRET_KEY that stored data still needs. */
export const FORMER_KEY = sealed('former_keys', 'key_sealed', 'former-key')

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ENDPOINT_HEADERS,
  ENDPOINT_SECRET,
  PREVIOUS_ENDPOINT_SECRET,
  KEPT_ANSWER,
  REPORT_CHUNK,
  TOTP_SECRET,
  DASHBOARD_TOKEN,
  TLS_ACCOUNT_KEY,
  TLS_KEY,
  TLS_ORDER_KEY,
  FORMER_KEY,
]
