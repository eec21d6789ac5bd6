import { createRouter, type AnyRoute, type AnyRouteMatch } from '@tanstack/react-router'
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

/** Loads the page that the address names while the session is asked for. */
export function preloadPage(): void {
  const routes: Readonly<Record<string, AnyRoute | undefined>> = router.routesById
  for (const { routeId } of router.matchRoutes(router.latestLocation) as AnyRouteMatch[]) {
    const route = routes[routeId]
    if (route) void router.loadRouteChunk(route)
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
