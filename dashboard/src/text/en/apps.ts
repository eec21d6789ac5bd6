import type { Tools } from '../load.ts'

/** Texts of apps that a user allows. */
export const messages = ({ plural }: Tools) => ({
  apps: {
    title: 'Connected apps',
    count: (count: number) => plural(count, { one: '# app', other: '# apps' }),
    none: 'Apps such as Claude or the command line appear here once you allow them.',
    device: 'on a device',
    allowTitle: (name: string) => `Allow ${name}?`,
    signedInAs: (email: string) => `You are signed in as ${email}.`,
    describedBy: (host: string) => `The app belongs to ${host}.`,
    isUnknown: 'Anyone can use this name, so check where the app returns to.',
    returnsTo: (place: string) => `When you allow it, your browser returns to ${place}.`,
    returnsHere: 'When you allow it, a program on this computer gets access.',
    checkDevice:
      'Allow it only if you started the sign-in yourself and your terminal shows this code:',
    workspace: 'Workspace',
    allow: 'Allow',
    deny: 'Deny',
    onlyAdmins: 'Only admins and owners of a workspace can allow apps.',
    codeTitle: 'Sign in on a device',
    code: 'Code',
    codeHint: 'The code that your terminal shows.',
    goOn: 'Continue',
    allowed: 'Allowed. Go back to the terminal.',
    denied: 'Denied. You can close this page.',
    returning: 'Your browser returns to the app.',
  },
})
