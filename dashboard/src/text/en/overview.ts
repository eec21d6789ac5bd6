import type { Tools } from '../load.ts'

/** Texts of the start of a workspace. */
export const messages = ({ plural }: Tools) => ({
  created: {
    title: 'Your short link is ready',
    open: 'Open it',
    customize: 'Customize',
    statistics: 'Statistics',
  },
  overview: {
    title: 'Overview',
    note: 'Last 30 days vs. the 30 days before.',
    countedUpTo: (time: string) => `Updated ${time}.`,
    today: (clicks: number) =>
      `Today ${plural(clicks, { one: '# click', other: '# clicks' })} so far.`,
    firstTitle: 'Where should it point?',
    firstExplain: 'Paste any address. You get a short link and see every click as it happens.',
    firstViewer:
      'This workspace has no links yet. Members can create them; their statistics appear here.',
    makeShort: 'Shorten',
    noAddress: 'Enter a web address, such as example.com/page.',
    stepsTitle: 'First steps',
    stepsDone: (done: number, all: number) => `${done} of ${all} done`,
    dismissSteps: 'Hide the first steps',
    done: 'done',
    steps: {
      link: { title: 'Create a link', explain: 'paste an address, get a short link' },
      click: { title: 'Open it once', explain: 'your click appears within seconds' },
      webhook: {
        title: 'Send clicks to your own server',
        explain: 'webhooks are signed and retried until delivered',
      },
      team: {
        title: 'Invite a member',
        or: 'or create an API key',
        explain: 'share the links with your team, or automate',
      },
    },
    needsYou: 'Needs attention',
    deadLetters: (count: number) =>
      `${plural(count, { one: '# delivery', other: '# deliveries' })} failed for good`,
    deadLettersHint: 'see the responses and retry',
    limit: (name: string, used: string, limit: string) => `${name}: ${used} of ${limit}`,
    limitReached: 'limit reached',
    limitNear: 'close to the plan limit',
    topLinks: 'Most clicked',
    topLinksHint: 'No clicks in the last 30 days.',
    sources: 'Sources',
    recent: 'Recent activity',
    allActivity: 'Audit log',
    recentLinks: 'Newest links',
    allLinks: 'All links',
    by: (name: string) => `by ${name}`,
  },
})
