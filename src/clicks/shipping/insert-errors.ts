import { ClickHouseError } from '@clickhouse/client'

/** TOO_MANY_PARTS: merges are behind the inserts. */
const TOO_MANY_PARTS = 252

/** Codes of ClickHouse errors that are not about the rows: the same rows can succeed later. */
const UNRELATED_TO_ROWS = new Set([
  // Connection: DNS_ERROR, NO_FREE_CONNECTION, SOCKET_TIMEOUT, NETWORK_ERROR,
  // ALL_CONNECTION_TRIES_FAILED, UNEXPECTED_END_OF_FILE
  198, 203, 209, 210, 279, 3,
  // Schema, until a migration or the operator fixes it: NO_SUCH_COLUMN_IN_TABLE, UNKNOWN_TABLE,
  // UNKNOWN_DATABASE, TABLE_WAS_NOT_DROPPED
  16, 60, 81, 305,
  // Disk: CANNOT_READ_FROM_FILE_DESCRIPTOR, CANNOT_WRITE_TO_FILE_DESCRIPTOR, CANNOT_OPEN_FILE,
  // NOT_ENOUGH_SPACE
  74, 75, 76, 243,
  // Load: TIMEOUT_EXCEEDED, TOO_SLOW, CANNOT_ALLOCATE_MEMORY, QUOTA_EXCEEDED,
  // TOO_MANY_SIMULTANEOUS_QUERIES, MEMORY_LIMIT_EXCEEDED, TOO_MANY_PARTS, CANNOT_SCHEDULE_TASK
  159, 160, 173, 201, 202, 241, 252, 439,
  // Query ended by the server: ABORTED, BARRIER_TIMEOUT, QUERY_WAS_CANCELLED, SYSTEM_ERROR,
  // DEADLOCK_AVOIDED
  236, 335, 394, 425, 473,
  // Account: READONLY, UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, IP_ADDRESS_NOT_ALLOWED,
  // ACCESS_DENIED, AUTHENTICATION_FAILED
  164, 192, 193, 194, 195, 497, 516,
  // Replication: NO_ZOOKEEPER, TABLE_IS_READ_ONLY, TOO_FEW_LIVE_REPLICAS,
  // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE, REPLICA_IS_NOT_IN_QUORUM, UNKNOWN_STATUS_OF_INSERT,
  // KEEPER_EXCEPTION
  225, 242, 285, 286, 289, 319, 999,
])

/** True if ClickHouse asks for fewer inserts. */
export function isOverload(error: unknown): boolean {
  return error instanceof ClickHouseError && Number(error.code) === TOO_MANY_PARTS
}

/** True if ClickHouse read the rows and refused them. */
export function isRefusal(error: unknown): error is ClickHouseError {
  return error instanceof ClickHouseError && !UNRELATED_TO_ROWS.has(Number(error.code))
}
