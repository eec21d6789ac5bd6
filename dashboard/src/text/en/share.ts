/** What visitors of a shared dashboard read. The figures have their own texts. */
export const messages = () => ({
  share: {
    product: 'Signpost',
    loading: 'Loading…',
    scope: {
      workspace: 'All links',
      link: 'One link',
      campaign: 'One campaign',
      folder: 'One folder',
    },
    updated: (when: string) => `updated ${when}`,
    away: (when: string) => `The server is not responding. These numbers are from ${when}.`,
    days: (first: string, last: string) => (first === last ? first : `${first} to ${last}`),
    value: 'Value',
    allClicks: 'Clicks, all time',
    now: 'clicks',
    importedInAll: (clicks: string) =>
      `${clicks} of all clicks were imported from another service.`,
    topLinks: 'Top links',
    foot: (zone: string) => `Crawlers and link previews are not counted. Time zone: ${zone}.`,
    locked: {
      title: 'This dashboard needs a password',
      intro: 'Enter the password that came with the link.',
      label: 'Password',
      open: 'Open the dashboard',
      wrong: 'Wrong password. Try again.',
      failed: 'The password could not be checked. Try again in a moment.',
      wait: (seconds: string) => `Too many attempts. Try again in ${seconds}.`,
      cookie: 'A cookie remembers it in this browser for 12 hours.',
    },
    gone: {
      title: 'Dashboard not found',
      intro:
        'The address may be incomplete, or the dashboard is no longer shared. Ask the person who sent it to you.',
    },
    failed: {
      title: 'The numbers could not be loaded',
      intro: 'The server is not responding or is busy. This page tries again automatically.',
      retry: 'Try again',
    },
  },
})
