/** Texts of alerts. */
export const messages = () => ({
  alerts: {
    title: 'Alerts',
    note: 'Checked once an hour',
    new_: 'New alert',
    edit: 'Edit alert',
    create: 'Create alert',
    created: 'The alert is on.',
    none: 'No alerts',
    noneExplain:
      'Get a mail when clicks are far above or below the usual, or when the destination of a link stops answering.',
    wholeWorkspace: 'Whole workspace',
    actionsOf: (name: string) => `Actions for the alert of ${name}`,
    pause: 'Pause',
    resume: 'Resume',
    paused: 'Paused',
    delete: 'Delete',
    deleted: 'The alert is deleted.',
    learning: 'Clicks: the usual number is known after two weeks',
    notChecked: 'The destination has not been checked yet',
    since: (time: string) => `(since ${time})`,
    watchClicks: 'Unusual clicks',
    watchClicksHint:
      'An hour with far more or fewer clicks than the same hour of the last four weeks.',
    watchDestination: 'Failing destination',
    watchDestinationHint: 'Two checks in a row without an answer, or with an error.',
    linkHint: 'To watch one link, open its page and choose "Alert".',
    watchOne: 'Choose at least one.',
    recipients: 'Mail to',
    recipientsHint:
      'Addresses of members, one per line. A mail when it begins, and one when it ends.',
    clicks: {
      usual: (count: string, usual: string) =>
        `Clicks are usual: ${count} in the last full hour, usually ${usual}`,
      high: (count: string, usual: string) =>
        `Many clicks: ${count} in the last full hour, usually ${usual}`,
      low: (count: string, usual: string) =>
        `Few clicks: ${count} in the last full hour, usually ${usual}`,
    },
    destination: {
      ok: 'The destination answers',
      failing: 'The destination does not answer, or answers with an error',
    },
  },
})
