import { createBrowserRouter } from 'react-router-dom'
import { noteAnswer } from './api/connection.ts'
import { loadTexts } from './i18n.ts'
import { type PageRoute, pageRoutes } from './page-routes.tsx'
import { notePage } from './shell/first-page.ts'
import { Guard } from './shell/guards.tsx'
import { Layout } from './shell/layout.tsx'
import { PageSkeleton } from './shell/page-skeleton.tsx'
import { PageFailure, RouteFailure } from './shell/route-failure.tsx'

/** The console's router: one layout around all pages, each behind its guard. */
export const createRouter = () =>
  createBrowserRouter([{ Component: Layout, ErrorBoundary: RouteFailure, children: pageRoutes.map(routeOf) }])

/**
 * A page that throws does not affect the layout around it. The router reports to the layout while a page is loading.
 */
function routeOf({ path, access, load, texts = [], within = [] }: PageRoute) {
  // Pages of the first view do not need the `pages` texts.
  const isBeyond = access !== 'anyone' || texts.length > 0
  return {
    path,
    children: within.map((subPath) => ({ path: subPath, element: null })),
    ErrorBoundary: PageFailure,
    HydrateFallback: PageSkeleton,
    lazy: async () => {
      const [{ default: Page }] = await Promise.all([
        load().catch(reportLoadFailure),
        isBeyond && loadTexts(['pages', ...texts]),
      ])
      notePage()
      const Component = () => (
        <Guard access={access}>
          <Page />
        </Guard>
      )
      return { Component }
    },
  }
}

/** Code that cannot be loaded may mean that the gateway is down. */
function reportLoadFailure(error: unknown): never {
  noteAnswer(undefined)
  throw error
}
