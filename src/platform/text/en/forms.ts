import type { FormTexts } from '../texts.ts'

export const forms: FormTexts = {
  password: 'Password',
  signIn: 'Sign in',
  openDashboard: 'Open the dashboard',
  gone: {
    title: 'This link no longer works',
    text: 'This link has expired, was already used, or was replaced by a newer one. Request a new link.',
  },
  verify: {
    title: 'Confirm your email',
    here: (email) => `You signed up with ${email} in this browser.`,
    elsewhere: (email) =>
      `Enter the password you chose when you signed up with ${email}. If that was not you, close this page.`,
    button: 'Confirm and sign in',
    readyTitle: 'Your address is confirmed',
    notJoined: 'Your account is ready, and you have not joined the workspace that invited you.',
  },
  reset: {
    title: 'Choose a new password',
    text: (email) => `For ${email}. This signs you out everywhere else.`,
    label: 'New password (at least 10 characters)',
    button: 'Set password',
    done: {
      title: 'Password changed',
      text: 'You have been signed out everywhere. Sign in with your new password.',
    },
  },
  change: {
    approveTitle: 'Approve your new email',
    confirmTitle: 'Confirm your new email',
    facts: (name, email, newEmail) =>
      `The account of ${name} (${email}) moves to ${newEmail} once both addresses have confirmed.`,
    warning:
      'If this is not your account, close this page: confirming would give your address to it.',
    password: 'Enter the password of that account, or sign in to it in this browser first.',
    approve: 'Approve',
    confirm: 'Confirm',
    done: 'Confirmed',
    changed: 'Your account now uses the new address.',
    almost: 'Almost done. Now confirm the email that we sent to the other address.',
  },
  code: {
    title: 'Enter your code',
    text: 'Enter the six digits from your authenticator app, or one of your backup codes.',
    label: 'Code',
  },
  invitation: {
    title: (workspace) => `Invitation to ${workspace}`,
    text: ({ inviter, workspace, role, email, day }) =>
      `${inviter} invites you to the workspace ${workspace}, as ${role}. The invitation is for ${email} and ends on ${day}.`,
    formerMember: 'A former member',
    accept: 'Accept',
    decline: 'Decline',
    otherAccount: (email) =>
      `You are signed in as ${email}. This invitation is for a different address.`,
    toAnswer: (email) => `To answer, sign in with ${email}.`,
    toAnswerOrSignUp: (email) =>
      `To answer, sign in with ${email}, or sign up if you do not have an account yet.`,
    provider: (name) => `Continue with ${name}`,
    signUp: 'Sign up and join',
    unknown: {
      title: 'Invitation not found',
      text: 'A newer email may have replaced it. Open the link in the latest one, or ask for a new invitation.',
    },
    closed: 'This invitation is closed',
    statuses: {
      accepted: 'This invitation is already accepted.',
      rejected: 'This invitation was rejected.',
      canceled: 'This invitation was canceled.',
      expired: 'This invitation has expired.',
    },
    joined: (workspace) => `You have joined ${workspace}`,
    role: (role) => `Your role is ${role}.`,
    declined: 'You have declined the invitation',
    declinedText: (workspace) =>
      `You have not joined ${workspace}. Its admins can see your answer.`,
  },
  report: {
    title: 'Report a short link',
    intro:
      'Your report goes to the operator of this service. The owner of the link can read what you write, but not your email address.',
    url: 'Short link',
    reason: 'What is wrong with it?',
    reasons: {
      phishing: 'It imitates another site',
      malware: 'It offers harmful software',
      spam: 'It is spam',
      other: 'Something else',
    },
    details: 'What happened (optional)',
    email: 'Your email, for questions (optional)',
    send: 'Send report',
    sent: {
      title: 'Thanks for your report',
      text: 'The operator of this service will look at the link. You can close this page.',
    },
  },
  failed: {
    title: "That didn't work",
    fix: 'Go back, fix the problem, and try again.',
    wait: 'Try again in a moment.',
  },
  errors: null,
}
