import { plural } from './plural.ts'

export const overviewTexts = {
  overview: {
    title: 'Overview',
    note: 'The last 30 days, compared with the 30 before.',
    countedUpTo: (time: string) => `Counted up to ${time}.`,
    today: (clicks: number) => `Today ${plural(clicks, 'click', 'clicks')} so far.`,
    firstTitle: 'Where should it point?',
    firstExplain:
      'Paste any address. You get a short one back, and see every click on it as it happens.',
    firstViewer:
      'This workspace has no links yet. Its members can create them; you will see their figures here.',
    makeShort: 'Make it short',
    stepsTitle: 'First steps',
    stepsDone: (done: number, all: number) => `${done} of ${all} done`,
    dismissSteps: 'Hide the first steps',
    done: 'done',
    steps: {
      link: { title: 'Create a link', explain: 'paste an address, get a short one' },
      click: { title: 'Open it once', explain: 'your click shows within three seconds' },
      webhook: {
        title: 'Send clicks to your own program',
        explain: 'webhooks are signed, and sent again until they are taken',
      },
      team: {
        title: 'Invite a member',
        or: 'or make an API key',
        explain: 'work on the same links, or let a program do it',
      },
    },
    needsYou: 'Needs you',
    deadLetters: (count: number) => `${plural(count, 'delivery was', 'deliveries were')} given up`,
    deadLettersHint: 'read the answers and send them again',
    limit: (name: string, used: string, limit: string) => `${name}: ${used} of ${limit}`,
    limitReached: 'limit reached',
    limitNear: 'close to the limit of the plan',
    topLinks: 'Most clicked',
    topLinksHint: 'No click in the last 30 days.',
    sources: 'From where',
    recent: 'Lately',
    allActivity: 'Audit log',
    recentLinks: 'Newest links',
    allLinks: 'All links',
    by: (name: string) => `by ${name}`,
  },
}
