# Written by "npm run clients" from the OpenAPI document; tests compare.

from __future__ import annotations

from .errors import SignpostError
from .types import ConflictErrorDetails, ErrorDetail, ForbiddenErrorDetails, PlanCapabilityRequiredErrorDetails, PlanLimitReachedErrorDetails, PreconditionFailedErrorDetails, RateLimitedErrorDetails, UnavailableErrorDetails

__all__ = [
    "ConflictError",
    "EmailNotVerifiedError",
    "ExpectationFailedError",
    "ForbiddenError",
    "GoneError",
    "HeadersTooLargeError",
    "InternalError",
    "InvalidCodeError",
    "InvalidCredentialsError",
    "MethodNotAllowedError",
    "NotFoundError",
    "PasswordRequiredError",
    "PayloadTooLargeError",
    "PlanCapabilityRequiredError",
    "PlanLimitReachedError",
    "PreconditionFailedError",
    "RangeNotSatisfiableError",
    "RateLimitedError",
    "RequestTimeoutError",
    "SecretKeyChangedError",
    "SessionNotFreshError",
    "UnauthorizedError",
    "UnavailableError",
    "UnsupportedMediaTypeError",
    "UriTooLongError",
    "ValidationError",
]


class ConflictError(SignpostError):
    details: ConflictErrorDetails | list[ErrorDetail]


class EmailNotVerifiedError(SignpostError):
    details: list[ErrorDetail]


class ExpectationFailedError(SignpostError):
    details: list[ErrorDetail]


class ForbiddenError(SignpostError):
    details: ForbiddenErrorDetails | list[ErrorDetail]


class GoneError(SignpostError):
    details: list[ErrorDetail]


class HeadersTooLargeError(SignpostError):
    details: list[ErrorDetail]


class InternalError(SignpostError):
    details: list[ErrorDetail]


class InvalidCodeError(SignpostError):
    details: list[ErrorDetail]


class InvalidCredentialsError(SignpostError):
    details: list[ErrorDetail]


class MethodNotAllowedError(SignpostError):
    details: list[ErrorDetail]


class NotFoundError(SignpostError):
    details: list[ErrorDetail]


class PasswordRequiredError(SignpostError):
    details: list[ErrorDetail]


class PayloadTooLargeError(SignpostError):
    details: list[ErrorDetail]


class PlanCapabilityRequiredError(SignpostError):
    details: PlanCapabilityRequiredErrorDetails


class PlanLimitReachedError(SignpostError):
    details: PlanLimitReachedErrorDetails


class PreconditionFailedError(SignpostError):
    details: PreconditionFailedErrorDetails


class RangeNotSatisfiableError(SignpostError):
    details: list[ErrorDetail]


class RateLimitedError(SignpostError):
    details: RateLimitedErrorDetails


class RequestTimeoutError(SignpostError):
    details: list[ErrorDetail]


class SecretKeyChangedError(SignpostError):
    details: list[ErrorDetail]


class SessionNotFreshError(SignpostError):
    details: list[ErrorDetail]


class UnauthorizedError(SignpostError):
    details: list[ErrorDetail]


class UnavailableError(SignpostError):
    details: UnavailableErrorDetails | list[ErrorDetail]


class UnsupportedMediaTypeError(SignpostError):
    details: list[ErrorDetail]


class UriTooLongError(SignpostError):
    details: list[ErrorDetail]


class ValidationError(SignpostError):
    details: list[ErrorDetail]


ERROR_CLASSES: dict[str, type[SignpostError]] = {
    "CONFLICT": ConflictError,
    "EMAIL_NOT_VERIFIED": EmailNotVerifiedError,
    "EXPECTATION_FAILED": ExpectationFailedError,
    "FORBIDDEN": ForbiddenError,
    "GONE": GoneError,
    "HEADERS_TOO_LARGE": HeadersTooLargeError,
    "INTERNAL_ERROR": InternalError,
    "INVALID_CODE": InvalidCodeError,
    "INVALID_CREDENTIALS": InvalidCredentialsError,
    "METHOD_NOT_ALLOWED": MethodNotAllowedError,
    "NOT_FOUND": NotFoundError,
    "PASSWORD_REQUIRED": PasswordRequiredError,
    "PAYLOAD_TOO_LARGE": PayloadTooLargeError,
    "PLAN_CAPABILITY_REQUIRED": PlanCapabilityRequiredError,
    "PLAN_LIMIT_REACHED": PlanLimitReachedError,
    "PRECONDITION_FAILED": PreconditionFailedError,
    "RANGE_NOT_SATISFIABLE": RangeNotSatisfiableError,
    "RATE_LIMITED": RateLimitedError,
    "REQUEST_TIMEOUT": RequestTimeoutError,
    "SECRET_KEY_CHANGED": SecretKeyChangedError,
    "SESSION_NOT_FRESH": SessionNotFreshError,
    "UNAUTHORIZED": UnauthorizedError,
    "UNAVAILABLE": UnavailableError,
    "UNSUPPORTED_MEDIA_TYPE": UnsupportedMediaTypeError,
    "URI_TOO_LONG": UriTooLongError,
    "VALIDATION_ERROR": ValidationError,
}
"""The class of each code that the server answers."""
