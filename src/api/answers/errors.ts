import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, errorBody, OperatorError, type ErrorCode } from '../../platform/core/errors.ts'
import { toDetails } from '../../platform/routes/shape-check.ts'
import { refusedStatusOf } from '../../platform/http/http-server.ts'
import { DEFAULT_LIMITS } from '../../platform/routes/route.ts'
import { tooLarge } from '../requests/bodies.ts'
import { wantsHtml } from '../requests/browser.ts'
import { errorPage, languageOf, sendPage } from '../site/pages.ts'
import { rateDetails } from '../requests/rates.ts'
import { isClientGone } from './reply.ts'

const TRANSPORT: Record<string, readonly [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'VALIDATION_ERROR',
    'Content-Length does not match the body.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['VALIDATION_ERROR', 'The body is empty.'],
  FST_ERR_BAD_URL: ['VALIDATION_ERROR', 'The address is not a valid URL.'],
  FST_ERR_MAX_PARAM_LENGTH: ['URI_TOO_LONG', 'The address is too long.'],
}

const CONTENT_HEADERS = ['accept-ranges', 'content-disposition', 'content-security-policy', 'etag']

/** Codes of PostgreSQL and of the network for a connection that is lost or shutting down. */
const DISCONNECTED_CODE = /^(08...|57P0[1-5]|CONNECTION_.*|CONNECT_TIMEOUT|ECONN.*)$/
/** Too little time or memory: codes of PostgreSQL, error names of ClickHouse, and messages of its client. */
const UNAVAILABLE_CODE =
  /^(53...|57014|25P0[34]|55P03|ENOTFOUND|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/
const UNAVAILABLE_TYPE =
  /^(TIMEOUT_EXCEEDED|TOO_SLOW|MEMORY_LIMIT_EXCEEDED|TOO_MANY_SIMULTANEOUS_QUERIES|SERVER_OVERLOADED|NO_FREE_CONNECTION|NETWORK_ERROR|SOCKET_TIMEOUT|ALL_CONNECTION_TRIES_FAILED|ALL_REPLICAS_ARE_STALE|QUERY_WAS_CANCELLED|ABORTED|CANNOT_SCHEDULE_TASK|KEEPER_EXCEPTION|ASYNC_LOAD_WAIT_FAILED|NOT_ENOUGH_SPACE|CANNOT_WRITE_TO_FILE_DESCRIPTOR)$/
const UNAVAILABLE_MESSAGE = /^(Timeout error\.|socket hang up|The user aborted a request\.)$/

/** PostgreSQL rolled back one of two conflicting transactions. */
const CONFLICT_CODE = /^40(001|P01)$/

function toApiError(error: unknown, { routeOptions }: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  const { validation, code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return tooLarge(routeOptions.bodyLimit ?? DEFAULT_LIMITS.bodyBytes)
  if (validation) {
    const details = toDetails(validation as never)
    return new ApiError('VALIDATION_ERROR', details[0]?.message, details)
  }
  const known = TRANSPORT[code ?? '']
  if (known) return new ApiError(...known, [{ path: '', message: known[1], code: 'transport' }])
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ApiError('VALIDATION_ERROR', (error as Error).message)
  if (CONFLICT_CODE.test(String(code)) || isWorkspaceGone(error))
    return new ApiError(
      'CONFLICT',
      'Another request changed the same data at the same time. Try again.',
    )
  return new ApiError(isUnavailable(error) ? 'UNAVAILABLE' : 'INTERNAL_ERROR')
}

function isWorkspaceGone(error: unknown): boolean {
  const { code, constraint: broken } = error as { code?: unknown; constraint?: string }
  return code === '23503' && broken?.endsWith('_workspace_id_fkey') === true
}

function isUnavailable(error: unknown): boolean {
  // The set-up broke after the start, for example a pooler that drops the role of a session.
  if (error instanceof OperatorError) return true
  const { code, type, message } = error as NodeJS.ErrnoException & { type?: unknown }
  if (isDisconnected(error) || UNAVAILABLE_CODE.test(String(code))) return true
  return UNAVAILABLE_TYPE.test(String(type)) || UNAVAILABLE_MESSAGE.test(message)
}

function isDisconnected(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  // This includes ENOENT: the unix socket of a server that does not run.
  return syscall === 'connect' || DISCONNECTED_CODE.test(String(code))
}

/** @param write sends it in the format of another API */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  write?: (answer: ApiError) => void,
): void {
  if (isClientGone(reply)) {
    // The work was canceled, or the body is incomplete; neither is a failure of this server.
    if (refusedStatusOf(reply.raw) === undefined)
      request.log.info('the client disconnected before its answer')
    reply.code(499).hijack()
    return
  }
  const answer = toApiError(error, request)
  // Every request fails this way while a database is unavailable, so each logs one short line.
  if (isDisconnected(error))
    request.log.warn(
      { reason: (error as Error).message },
      'a database or the services cannot be reached',
    )
  else if (answer.status >= 500) request.log.error({ err: error }, 'request failed')
  reply.headers({ 'x-request-id': request.id, ...toHeaders(answer, reply) })
  for (const name of CONTENT_HEADERS) reply.removeHeader(name)
  // Fastify closes the connection after each refused body; it can stay open if the body has arrived.
  if (request.raw.complete) reply.removeHeader('connection')
  if (write) return write(answer)
  // A request that failed before it was routed has no options.
  if (request.routeOptions?.config?.showsPages && wantsHtml(request.headers)) {
    sendPage(reply, answer.status, errorPage(languageOf(request), answer, request.id))
    return
  }
  reply
    .code(answer.status)
    .type('application/json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(errorBody(request.id, answer.code, answer.message, answer.details))
}

function toHeaders(answer: ApiError, reply: FastifyReply): Record<string, string> {
  if (answer.code === 'PASSWORD_REQUIRED') return { 'www-authenticate': 'DashboardPassword' }
  if (answer.status === 401)
    return { 'www-authenticate': String(reply.getHeader('www-authenticate') ?? 'Bearer') }
  if (answer.code === 'UNAVAILABLE') return { 'retry-after': '1' }
  const rate = rateDetails(answer)
  return rate ? { 'retry-after': String(rate.retryAfter) } : {}
}
