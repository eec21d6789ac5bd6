/** Beyond the waiting room the answer is a 429 with `Retry-After`. */
export type Places = {
  readonly what: string
  readonly per: string
  readonly maxRunning?: number
  readonly maxRunningPerKey: number
  readonly maxWaitingPerKey: number
  readonly maxWaiting?: number
  readonly message: string
}

const OF_OWNER = 'user, and workspace'
const TOO_MANY_REQUESTS = 'Too many requests at a time. Wait for some of them to be answered.'
const TOO_MANY_READS = 'Too many reads at a time. Wait for some of them to be answered.'

export const PLACES = {
  /** Fewer than the connections of a pool: one owner leaves some to everyone else. */
  requests: {
    what: 'Requests with a credential',
    per: OF_OWNER,
    maxRunningPerKey: 5,
    maxWaitingPerKey: 500,
    message: TOO_MANY_REQUESTS,
  },
  /** Many users may share an address, and a sign-in spends most of its time on hashing. */
  anonymousRequests: {
    what: 'Requests without a credential',
    per: 'network',
    maxRunningPerKey: 20,
    maxWaitingPerKey: 500,
    message: TOO_MANY_REQUESTS,
  },
  /** The rest waits in the gateway, and leaves its connections to the services free. */
  forwardedRequests: {
    what: 'Requests that a gateway forwards',
    per: `${OF_OWNER}; network`,
    maxRunningPerKey: 32,
    maxWaitingPerKey: 500,
    message: TOO_MANY_REQUESTS,
  },
  /** A read uses a core. An owner of many workspaces gets no more than one with a single workspace. */
  heavyReads: {
    what: 'Lists, searches and logs in PostgreSQL',
    per: OF_OWNER,
    maxRunning: 4,
    maxRunningPerKey: 2,
    maxWaitingPerKey: 32,
    message: TOO_MANY_READS,
  },
  /** The embedded engine runs two to four statements at a time, depending on cores; one stays free for other owners. */
  analytics: {
    what: 'Analytics (on two cores: 1 running)',
    per: OF_OWNER,
    maxRunning: 4,
    maxRunningPerKey: 3,
    maxWaitingPerKey: 32,
    message: TOO_MANY_READS,
  },
  clickLookups: {
    what: 'Looking up the clicks that conversions name',
    per: 'workspace',
    maxRunning: 2,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 32,
    message: TOO_MANY_READS,
  },
  linkExportPages: {
    what: 'Pages of exported links',
    per: OF_OWNER,
    maxRunning: 4,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 100,
    message: 'Too many exports of this user are running. Wait for some of them to end.',
  },
  clickExportPages: {
    what: 'Pages of exported clicks',
    per: OF_OWNER,
    maxRunning: 1,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 32,
    message: 'Too many exports of this user are running. Wait for some of them to end.',
  },
  missedClicks: {
    what: 'Live streams that catch up after a reconnect',
    per: OF_OWNER,
    maxRunning: 1,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 100,
    message: 'Too many live streams of this user are resumed at a time.',
  },
  listeners: {
    what: 'Requests that wait for webhook events (`signpost listen`)',
    per: OF_OWNER,
    maxRunningPerKey: 5,
    maxWaitingPerKey: 0,
    message: 'At most 5 requests of a workspace, and of a user, may wait for events.',
  },
  imports: {
    what: 'Reading import files',
    per: 'network, user, and workspace',
    maxRunning: 2,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 32,
    maxWaiting: 256,
    message: 'Too many files are being uploaded. Wait for some of them to be answered.',
  },
  images: {
    what: 'Decoding images',
    per: 'network, user, and workspace',
    maxRunning: 1,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 32,
    maxWaiting: 256,
    message: 'Too many images are being uploaded. Wait for some of them to be answered.',
  },
  /** One at a time leaves the other core to redirects. */
  drawings: {
    what: 'Drawing QR codes and image previews',
    per: OF_OWNER,
    maxRunning: 1,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 32,
    message: 'Too many images at a time. Wait for some of them to be answered.',
  },
  /** The host is one key too: many workspaces could name it. */
  previews: {
    what: 'Reading pages for link previews',
    per: `${OF_OWNER}, and host`,
    maxRunning: 32,
    maxRunningPerKey: 4,
    maxWaitingPerKey: 16,
    message: 'Too many previews are being read. Try again in a moment.',
  },
  /** A list of links asks for many at once; one without a place is answered as a site without an icon. */
  icons: {
    what: 'Reading icons of destinations',
    per: `${OF_OWNER}, and host`,
    maxRunning: 16,
    maxRunningPerKey: 4,
    maxWaitingPerKey: 100,
    message: 'Too many icons are being read. Try again in a moment.',
  },
  newLinkPasswords: {
    what: 'Hashing new link passwords',
    per: 'workspace',
    maxRunning: 2,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 16,
    message: 'Too many new link passwords at a time. Wait for some of them to be stored.',
  },
  /** Workspaces take turns, so that guesses at the links of one do not delay the visitors of others. */
  linkPasswords: {
    what: 'Checking link passwords',
    per: 'workspace, and network of the visitor',
    maxRunning: 2,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 16,
    maxWaiting: 64,
    message: 'Too many passwords are being checked. Try again in a second.',
  },
  dashboardPasswords: {
    what: 'Checking passwords of shared dashboards',
    per: 'workspace, and network of the visitor',
    maxRunning: 2,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 16,
    maxWaiting: 64,
    message: 'Too many passwords are being checked. Try again in a second.',
  },
  /** Members' own reads get at least as many. */
  sharedDashboards: {
    what: 'Counting for shared dashboards',
    per: 'workspace',
    maxRunning: 2,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 100,
    maxWaiting: 1_000,
    message: 'Too many dashboards are read at a time. Try again in a second.',
  },
  sharedTokens: {
    what: 'Looking up shared dashboards',
    per: 'network',
    maxRunning: 2,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 100,
    maxWaiting: 1_000,
    message: 'Too many requests at a time. Try again in a second.',
  },
  publicImages: {
    what: 'Reading public images',
    per: 'network',
    maxRunning: 2,
    maxRunningPerKey: 2,
    maxWaitingPerKey: 200,
    maxWaiting: 1_000,
    message: 'Too many images are read at a time. Try again in a second.',
  },
} satisfies Record<string, Places>
