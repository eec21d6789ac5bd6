import type { Who } from './who.ts'

/** A person's signed-in browser or app. The token itself is only in the cookie. */
export type Session = {
  readonly id: string
  readonly userId: string
  /** The active workspace; null for a person who belongs to none. */
  readonly workspaceId: string | null
  readonly createdAt: Date
}

/**
 * Whoever sends a request to an account's route (`AccountRoute`), known or not: signing in needs
 * no credential, and a person may belong to no workspace.
 */
export type Caller = {
  readonly requestId: string
  readonly ip: string | null
  readonly userAgent: string | null
  /** Where the browser sees this server, for cookies and passkeys: `https://links.example.com`. */
  readonly origin: string
  /** True for a person's browser that follows a link or sends a form, by its Accept header. */
  readonly wantsHtml: boolean
  readonly cookies: Readonly<Record<string, string>>
  readonly session: Session | null
  /** What the session or API key may do in its workspace; null without either. */
  readonly who: Who | null
}

/** One `Set-Cookie`: always HttpOnly, SameSite=Lax, Path=/; `__Host-` and Secure on https. */
export type Cookie = {
  /** Without the `__Host-` prefix, which the gateway adds and takes away. */
  readonly name: string
  readonly value: string
  /** 0 deletes it; undefined: until the browser closes. */
  readonly maxAgeSeconds?: number
}
