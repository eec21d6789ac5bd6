import { createRouter } from '@tanstack/react-router'
import { queryClient } from './query-client.ts'
import { routeTree } from './routes.tsx'

export const router = createRouter({
  routeTree,
  basepath: '/app',
  context: { queryClient },
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingMs: 150,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
