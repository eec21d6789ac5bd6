import type { Tools } from '../load.ts'

/** Texts that several features show, each under what it is about. */
export const messages = ({ plural, formatNumber }: Tools) => ({
  actions: {
    qrAlt: (url: string) => `QR code of ${url}`,
    retry: 'Try again',
    close: 'Close',
    cancel: 'Cancel',
    save: 'Save',
    edit: 'Edit',
    copy: 'Copy',
    copied: 'Copied',
    undo: 'Undo',
    more: 'More',
    back: 'Back',
    done: 'Done',
    download: 'Download',
    next: 'Next',
    search: 'Search',
    chooseColor: (name: string) => `Choose the color: ${name}`,
    chosen: 'chosen',
    loading: 'Loading…',
    none: 'none',
    removeChoice: (name: string) => `Remove ${name}`,
    clearChoice: 'Clear',
    showChoices: 'Show choices',
    createChoice: (name: string) => `Create "${name}"`,
    typeToConfirm: (word: string) => `Type ${word} to confirm`,
    nothingFound: 'Nothing found.',
    undone: (count: number) => `Restored ${plural(count, { one: '# link', other: '# links' })}.`,
    undoneBut: (count: number, skipped: number) =>
      `Restored ${plural(count, { one: '# link', other: '# links' })}; skipped ${formatNumber(skipped)} that changed since then.`,
    removeFilter: (name: string) => `Remove the ${name} filter`,
    countedUpTo: 'Updated',
  },
  errors: {
    /** The API says it in English, and more precisely. */
    byCode: (_code: string): string | undefined => undefined,
    unexpected:
      'Something went wrong. Reload the page; if it happens again, tell the operator of this server.',
    noPage: 'Page not found',
    goHome: 'Go to the overview',
    retryIn: (seconds: number) =>
      `Try again in ${plural(seconds, { one: '# second', other: '# seconds' })}.`,
    notLoaded: 'This part of the page could not be loaded. Check your connection.',
    away: 'The server is not responding. Nothing you typed is lost, and the page continues when it is back.',
  },
  conflict: {
    isNow: 'Now:',
    isYours: 'Yours:',
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
  },
  names: {
    roles: { viewer: 'Viewer', member: 'Member', admin: 'Admin', owner: 'Owner' },
    plans: { self_hosted: 'Self-hosted', free: 'Free' },
    failedInRow: (count: number) =>
      count === 1 ? 'the last attempt failed' : `${formatNumber(count)} failed in a row`,
    system: 'System',
    share: 'Share its statistics',
    newLink: 'New link',
    destination: 'Points to',
    addressExample: 'example.com/page',
    deletedLink: 'deleted link',
  },
  objects: {
    breadcrumb: 'Breadcrumb',
    missingHint: 'It may have been deleted, or the address is incomplete.',
    onlyFor: {
      viewer: 'Members only',
      member: 'Members only',
      admin: 'Admins and owners only',
      owner: 'Owners only',
    },
    onlyForExplain: (role: string) =>
      `Your role is ${role.toLowerCase()}. Ask an owner of the workspace for access.`,
  },
  zones: { title: 'Time zone' },
  mail: {
    inFolder: 'No mail server is set up yet, so the mail is a file in this folder:',
    command: 'The terminal of the server shows the link. This command prints it too:',
    askOperator:
      'No mail server is set up yet, so the mail was not sent. Ask the operator of this server for the link.',
  },
})
