import { text as shared } from './en.ts'

/** Texts of the pages without a session, and of the sign-in over a page. */
export const text = {
  ...shared,
  signIn: {
    title: 'Sign in',
    email: 'E-mail',
    password: 'Password',
    submit: 'Sign in',
    passkey: 'Use a passkey',
    provider: (name: string) => `Continue with ${name}`,
    secondStep: 'One more step',
    code: 'Code',
    codeHint: 'Six digits from your authenticator app, or a backup code.',
    verify: 'Continue',
    noAccount: 'No account yet?',
    toSignUp: 'Sign up',
    forgot: 'Forgot your password?',
    sendAgain: 'Send the mail again',
    sentAgain: 'Sent',
    again: 'Start over',
    closed: 'Sign-up is closed on this server. Ask its operator for an account.',
    invite: 'Sign-up is by invitation: use the address that was invited.',
  },
  forgot: {
    title: 'Set a new password',
    submit: 'Send the link',
    sent: (email: string) => `If ${email} has an account, we sent a link to set a new password.`,
  },
  signUp: {
    title: 'Create your account',
    name: 'Your name',
    submit: 'Sign up',
    submitInvited: 'Sign up and join',
    invitedHint: 'The invitation is for this address.',
    passwordHint: 'At least 10 characters, hard to guess.',
    passwordLength: (least: number) =>
      `At least ${least} characters, hard to guess. Several unrelated words work well.`,
    closedTitle: 'Sign-up is closed',
    hasAccount: 'Already have an account?',
    mailTitle: 'Check your email',
    mailSent: (email: string) => `We sent a link to ${email}. It signs you in.`,
    mailWritten: (email: string) => `The mail to ${email} has a link that signs you in.`,
    invitationNeeded: 'Sign-up is by invitation: open the link in yours.',
  },
  session: {
    title: { 'signed-out': 'You were signed out', 'not-fresh': "Confirm it's you" },
    explain: {
      'signed-out': 'Sign in to continue. Nothing you typed is lost.',
      'not-fresh': 'This change needs a recent sign-in.',
    },
    switched: 'Signed in as another user',
    explainSwitched: (email: string) =>
      `${email} opened this page. Unsaved changes on it were dropped; nothing was sent as the other user.`,
    goOn: 'Continue as the other user',
  },
}
