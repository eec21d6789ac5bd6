// Written by "npm run clients" from the OpenAPI document; tests compare.
import { SignpostError } from './errors.ts'
import type * as types from './types.gen.ts'

export class ConflictError extends SignpostError {
  declare readonly code: 'CONFLICT'
  declare readonly details: types.ConflictErrorDetails | types.ErrorDetail[]
}
export class EmailNotVerifiedError extends SignpostError {
  declare readonly code: 'EMAIL_NOT_VERIFIED'
  declare readonly details: types.ErrorDetail[]
}
export class ExpectationFailedError extends SignpostError {
  declare readonly code: 'EXPECTATION_FAILED'
  declare readonly details: types.ErrorDetail[]
}
export class ForbiddenError extends SignpostError {
  declare readonly code: 'FORBIDDEN'
  declare readonly details: types.ForbiddenErrorDetails | types.ErrorDetail[]
}
export class GoneError extends SignpostError {
  declare readonly code: 'GONE'
  declare readonly details: types.ErrorDetail[]
}
export class HeadersTooLargeError extends SignpostError {
  declare readonly code: 'HEADERS_TOO_LARGE'
  declare readonly details: types.ErrorDetail[]
}
export class InternalError extends SignpostError {
  declare readonly code: 'INTERNAL_ERROR'
  declare readonly details: types.ErrorDetail[]
}
export class InvalidCodeError extends SignpostError {
  declare readonly code: 'INVALID_CODE'
  declare readonly details: types.ErrorDetail[]
}
export class InvalidCredentialsError extends SignpostError {
  declare readonly code: 'INVALID_CREDENTIALS'
  declare readonly details: types.ErrorDetail[]
}
export class MethodNotAllowedError extends SignpostError {
  declare readonly code: 'METHOD_NOT_ALLOWED'
  declare readonly details: types.ErrorDetail[]
}
export class NotFoundError extends SignpostError {
  declare readonly code: 'NOT_FOUND'
  declare readonly details: types.ErrorDetail[]
}
export class PasswordRequiredError extends SignpostError {
  declare readonly code: 'PASSWORD_REQUIRED'
  declare readonly details: types.ErrorDetail[]
}
export class PayloadTooLargeError extends SignpostError {
  declare readonly code: 'PAYLOAD_TOO_LARGE'
  declare readonly details: types.ErrorDetail[]
}
export class PlanCapabilityRequiredError extends SignpostError {
  declare readonly code: 'PLAN_CAPABILITY_REQUIRED'
  declare readonly details: types.PlanCapabilityRequiredErrorDetails
}
export class PlanLimitReachedError extends SignpostError {
  declare readonly code: 'PLAN_LIMIT_REACHED'
  declare readonly details: types.PlanLimitReachedErrorDetails
}
export class PreconditionFailedError extends SignpostError {
  declare readonly code: 'PRECONDITION_FAILED'
  declare readonly details: types.PreconditionFailedErrorDetails
}
export class RangeNotSatisfiableError extends SignpostError {
  declare readonly code: 'RANGE_NOT_SATISFIABLE'
  declare readonly details: types.ErrorDetail[]
}
export class RateLimitedError extends SignpostError {
  declare readonly code: 'RATE_LIMITED'
  declare readonly details: types.RateLimitedErrorDetails
}
export class RequestTimeoutError extends SignpostError {
  declare readonly code: 'REQUEST_TIMEOUT'
  declare readonly details: types.ErrorDetail[]
}
export class SecretKeyChangedError extends SignpostError {
  declare readonly code: 'SECRET_KEY_CHANGED'
  declare readonly details: types.ErrorDetail[]
}
export class SessionNotFreshError extends SignpostError {
  declare readonly code: 'SESSION_NOT_FRESH'
  declare readonly details: types.ErrorDetail[]
}
export class UnauthorizedError extends SignpostError {
  declare readonly code: 'UNAUTHORIZED'
  declare readonly details: types.ErrorDetail[]
}
export class UnavailableError extends SignpostError {
  declare readonly code: 'UNAVAILABLE'
  declare readonly details: types.UnavailableErrorDetails | types.ErrorDetail[]
}
export class UnsupportedMediaTypeError extends SignpostError {
  declare readonly code: 'UNSUPPORTED_MEDIA_TYPE'
  declare readonly details: types.ErrorDetail[]
}
export class UriTooLongError extends SignpostError {
  declare readonly code: 'URI_TOO_LONG'
  declare readonly details: types.ErrorDetail[]
}
export class ValidationError extends SignpostError {
  declare readonly code: 'VALIDATION_ERROR'
  declare readonly details: types.ErrorDetail[]
}

/** The class of each code that the server answers. */
export const ERROR_CLASSES = {
  CONFLICT: ConflictError,
  EMAIL_NOT_VERIFIED: EmailNotVerifiedError,
  EXPECTATION_FAILED: ExpectationFailedError,
  FORBIDDEN: ForbiddenError,
  GONE: GoneError,
  HEADERS_TOO_LARGE: HeadersTooLargeError,
  INTERNAL_ERROR: InternalError,
  INVALID_CODE: InvalidCodeError,
  INVALID_CREDENTIALS: InvalidCredentialsError,
  METHOD_NOT_ALLOWED: MethodNotAllowedError,
  NOT_FOUND: NotFoundError,
  PASSWORD_REQUIRED: PasswordRequiredError,
  PAYLOAD_TOO_LARGE: PayloadTooLargeError,
  PLAN_CAPABILITY_REQUIRED: PlanCapabilityRequiredError,
  PLAN_LIMIT_REACHED: PlanLimitReachedError,
  PRECONDITION_FAILED: PreconditionFailedError,
  RANGE_NOT_SATISFIABLE: RangeNotSatisfiableError,
  RATE_LIMITED: RateLimitedError,
  REQUEST_TIMEOUT: RequestTimeoutError,
  SECRET_KEY_CHANGED: SecretKeyChangedError,
  SESSION_NOT_FRESH: SessionNotFreshError,
  UNAUTHORIZED: UnauthorizedError,
  UNAVAILABLE: UnavailableError,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedMediaTypeError,
  URI_TOO_LONG: UriTooLongError,
  VALIDATION_ERROR: ValidationError,
}
