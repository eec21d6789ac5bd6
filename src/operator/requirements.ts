/** What every route for operators requires. */
export const OPERATES = {
  requires: { credential: 'session', operator: true },
  tag: 'Operators',
} as const
