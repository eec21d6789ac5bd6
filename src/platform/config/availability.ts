import { boolean, setting, integer } from './values.ts'

export const AVAILABILITY = {
  drainSeconds: setting(
    'DRAIN_SECONDS',
    integer(0, 300),
    0,
    'Seconds for which a server that was told to stop still accepts requests, while `/ready` answers 503. Set it longer than your load balancer takes to notice; 0 without one.',
  ),
  edgeProcesses: setting(
    'EDGE_PROCESSES',
    integer(1, 64),
    1,
    'Processes that answer redirects, all on the same port. Set it to at most the number of cores (docs/scale.md).',
  ),
  edgeFast: setting(
    'EDGE_FAST',
    boolean,
    true,
    "Whether plain requests for links are answered without Node's HTTP server, which is faster. Set it to false to compare, or if a client has trouble.",
  ),
  edgeSnapshotHours: setting(
    'EDGE_SNAPSHOT_HOURS',
    integer(1, 8_760),
    24,
    'For how many hours after its last contact with PostgreSQL an edge may serve the links, domains and certificates that it keeps in DATA_DIR, if it starts while PostgreSQL is unavailable.',
  ),
  clickJournalMaxBytes: setting(
    'CLICK_JOURNAL_MAX_BYTES',
    integer(16_777_216, 1_000_000_000_000),
    2_147_483_648,
    'Largest total size of the click journals in DATA_DIR. When they are full, CLICK_JOURNAL_FAILURE decides what happens. A click that waits for the databases takes about 400 bytes.',
  ),
  clickSealMs: setting(
    'CLICK_SEAL_MS',
    integer(50, 60_000),
    500,
    'Milliseconds for which a segment of the journal collects clicks before it is shipped. Raise it for databases that are far away.',
  ),
  databaseConnections: setting(
    'DATABASE_CONNECTIONS',
    integer(4, 200),
    10,
    "Connections to the PostgreSQL of DATABASE_URL in each of a process's two large pools, one for requests and one for other work. The smaller pools take up to 11 more (docs/operations.md). Raise it for a database that is far away.",
  ),
  clickhouseConnections: setting(
    'CLICKHOUSE_CONNECTIONS',
    integer(4, 200),
    10,
    'Connections of each process to the ClickHouse of CLICKHOUSE_URL.',
  ),
}
