import { Outlet } from '@tanstack/react-router'
import { ConnectionNote } from './connection-note.tsx'
import { SessionRenewal } from './session-renewal.tsx'
import { Toasts } from './toasts.tsx'

/** Parts of every page: messages, and the sign-in over the page when the session ends. */
export function Root() {
  return (
    <>
      <Outlet />
      <SessionRenewal />
      <Toasts />
      <ConnectionNote />
    </>
  )
}
