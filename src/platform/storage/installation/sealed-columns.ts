/** A column that is sealed with SECRET_KEY. */
export type SealedColumn = {
  readonly table: string
  /** Identifies the row. */
  readonly key: string
  readonly column: string
  readonly purpose: string
  /** The `boundTo` of `Secrets.seal`. */
  readonly boundTo: (key: string) => string
}

export const ENDPOINT_SECRET: SealedColumn = {
  table: 'webhook_endpoints',
  key: 'id',
  column: 'secret_sealed',
  purpose: 'webhook-secret',
  boundTo: (endpointId) => `webhook_endpoints:${endpointId}`,
}

/** Moved here, still sealed, by a rotation with an overlap. */
const PREVIOUS_ENDPOINT_SECRET: SealedColumn = {
  ...ENDPOINT_SECRET,
  column: 'previous_secret_sealed',
}

/** Null for an endpoint without its own headers. */
export const ENDPOINT_HEADERS: SealedColumn = {
  table: 'webhook_endpoints',
  key: 'id',
  column: 'headers_sealed',
  purpose: 'webhook-headers',
  boundTo: (endpointId) => `webhook_endpoints.headers:${endpointId}`,
}

/** Responses of the last 24 hours to requests with an Idempotency-Key. */
export const KEPT_ANSWER: SealedColumn = {
  table: 'idempotency_keys',
  key: 'id',
  column: 'answer_sealed',
  purpose: 'kept-answer',
  boundTo: (id) => `idempotency_keys:${id}`,
}

/** Pieces of report files, by run and number. */
export const REPORT_CHUNK: SealedColumn = {
  table: 'report_chunks',
  key: 'id',
  column: 'content_sealed',
  purpose: 'report',
  boundTo: (id) => `report_chunks:${id}`,
}

export const TOTP_SECRET: SealedColumn = {
  table: 'two_factor',
  key: 'user_id',
  column: 'secret_sealed',
  purpose: 'totp',
  boundTo: (userId) => `totp:${userId}`,
}

/** The secret in the address of a shared dashboard. */
export const DASHBOARD_TOKEN: SealedColumn = {
  table: 'dashboards',
  key: 'id',
  column: 'token_sealed',
  purpose: 'dashboard-token',
  boundTo: (id) => `dashboards.token:${id}`,
}

/** Account key at a certificate authority. */
export const TLS_ACCOUNT_KEY: SealedColumn = {
  table: 'tls_accounts',
  key: 'directory',
  column: 'key_sealed',
  purpose: 'tls-account',
  boundTo: (directory) => `tls_accounts:${directory}`,
}

export const TLS_KEY: SealedColumn = {
  table: 'tls_certificates',
  key: 'hostname',
  column: 'key_sealed',
  purpose: 'tls-key',
  boundTo: (hostname) => `tls_certificates:${hostname}`,
}

/** Of the open order; it becomes the certificate's key. */
const TLS_ORDER_KEY: SealedColumn = { ...TLS_KEY, column: 'order_key_sealed' }

/** Keys of a former SECRET_KEY that stored data still needs. */
export const FORMER_KEY: SealedColumn = {
  table: 'former_keys',
  key: 'id',
  column: 'key_sealed',
  purpose: 'former-key',
  boundTo: (id) => `former_keys:${id}`,
}

/** The start tries SECRET_KEY on these. */
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
