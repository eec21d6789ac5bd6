import { boolean, setting, integer } from './values.ts'

export const AVAILABILITY = {
  drainSeconds: setting(
    'DRAIN_SECONDS',
    integer(0, 300),
    0,
    'Seconds from a stop signal, when `/ready` begins to answer 503, until the server accepts no more requests: longer than a load balancer takes to notice. 0 for a server without one.',
  ),
  edgeProcesses: setting(
    'EDGE_PROCESSES',
    integer(1, 64),
    1,
    'Processes that answer redirects on the port of this server, for more than one core: at most as many as the machine has cores (docs/scale.md).',
  ),
  edgeFast: setting(
    'EDGE_FAST',
    boolean,
    true,
    'Answers plain requests for links without the HTTP server of Node. Set it to false to compare, or if a client has trouble.',
  ),
  edgeSnapshotHours: setting(
    'EDGE_SNAPSHOT_HOURS',
    integer(1, 8_760),
    24,
    'Hours for which an edge that starts while PostgreSQL is unavailable serves the links, domains and certificates that it keeps in DATA_DIR, counted from when it last knew of every change.',
  ),
  clickJournalMaxBytes: setting(
    'CLICK_JOURNAL_MAX_BYTES',
    integer(16_777_216, 1_000_000_000_000),
    2_147_483_648,
    'Bytes of all click journals of a data directory. Beyond them clicks are lost as CLICK_JOURNAL_FAILURE says: in an outage a click takes about 300 bytes.',
  ),
  clickSealMs: setting(
    'CLICK_SEAL_MS',
    integer(50, 60_000),
    500,
    'Milliseconds for which clicks gather in one segment of the journal, which is then shipped: longer for databases that are far away.',
  ),
  databaseConnections: setting(
    'DATABASE_CONNECTIONS',
    integer(4, 200),
    10,
    'Connections to the PostgreSQL of DATABASE_URL in each of the two large pools of a process, those for requests and for other work: more for a database that is far away. The smaller pools take up to 11 more (docs/operations.md).',
  ),
  clickhouseConnections: setting(
    'CLICKHOUSE_CONNECTIONS',
    integer(4, 200),
    10,
    'Connections of a process to the ClickHouse of CLICKHOUSE_URL.',
  ),
}
