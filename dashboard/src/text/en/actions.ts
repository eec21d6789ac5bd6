/** Names of what the logs record. */
export const messages = () => ({
  actionNames: {
    /** The words of the action itself say it. */
    say: (_subject: string, _verb: string): string | undefined => undefined,
  },
})
