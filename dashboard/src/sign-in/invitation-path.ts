/** The page of the server on which an invitation is accepted. */
export function invitationPath(token: string): string {
  return `/v1/auth/invitation?token=${encodeURIComponent(token)}`
}
