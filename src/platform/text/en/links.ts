import type { LinkTexts } from '../texts.ts'

export const links: LinkTexts = {
  pages: {
    missing: {
      title: 'Link not found',
      text: 'Check the address for typos. The link may also have been turned off or deleted.',
    },
    pending: {
      title: 'This link is not available yet',
      text: 'Come back later, or ask the sender when it opens.',
    },
    expired: {
      title: 'This link has expired',
      text: 'It worked until a date that its owner chose. Ask the sender for a new one.',
    },
    exhausted: {
      title: 'This link has reached its click limit',
      text: 'It could be opened a limited number of times. Ask the sender for a new one.',
    },
    suspended: {
      title: 'This link is out of service',
      text: 'The account behind it is not active. Ask the sender where it was supposed to lead.',
    },
    blocked: {
      title: 'This link has been blocked',
      text: 'The operator of this service took it down. If a message sent you here, be careful with anything else that it asks for.',
    },
    noPreview: {
      title: 'No preview for this address',
      text: 'Either there is no such link, or it does not show where it leads.',
    },
    malformed: {
      title: 'This address is not valid',
      text: 'It contains characters that no link has. Make sure that you copied all of it.',
    },
    tooLong: {
      title: 'This address is too long',
      text: 'Make sure that nothing else was copied along with the link.',
    },
    unavailable: {
      title: 'Please try again',
      text: 'We cannot look up this link right now. Try again in a few seconds.',
    },
    broken: {
      title: 'Something went wrong',
      text: 'The problem is on our side. Try again in a few seconds.',
    },
  },
  error: 'Error',
  reportAbuse: 'Report abuse',
  password: {
    title: 'This link needs a password',
    intro: 'Enter the password that came with the link.',
    wrong: 'This password is wrong. Check it and try again.',
    label: 'Password',
    open: 'Open link',
    cookie: 'A cookie keeps the link open in this browser for 12 hours.',
  },
  attempts: {
    title: 'Too many attempts',
    wait: (time) => `This password was not checked. Try again in ${time}.`,
    back: 'Back to the link',
  },
  app: {
    title: 'This link opens an app',
    without: (host) => `If you do not have the app, continue to ${host}.`,
    open: 'Open the app',
    browser: 'Continue in the browser',
  },
  inspection: {
    title: 'This link leads to',
    conditional: 'It may lead somewhere else, depending on the device, the location, or the time.',
    mixedScript:
      'Careful: the site name in this address mixes alphabets or uses letters that look like Latin ones. Make sure that it is the site you expect.',
  },
}
