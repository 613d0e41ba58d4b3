import { type ComponentType, lazy } from 'react'
import { createBrowserRouter } from 'react-router-dom'
import { type Access, Guard } from './shell/guards.tsx'
import { Layout } from './shell/layout.tsx'
import { RouteFailure } from './shell/route-failure.tsx'

/** `load` is a function, so that a page's code is fetched only when somebody goes there. */
type PageRow = Readonly<{ path: string; access: Access; load: () => Promise<{ default: ComponentType }> }>

/** Every page: where it is, who may see it, and how it is loaded when somebody first goes there. */
const pages: readonly PageRow[] = [
  { path: '/', access: 'anyone', load: () => import('./pages/home/index.tsx') },
  { path: '/setup', access: 'setup', load: () => import('./pages/setup/index.tsx') },
  { path: '/login', access: 'guest', load: () => import('./pages/login/index.tsx') },
  { path: '/token', access: 'user', load: () => import('./pages/token/index.tsx') },
  { path: '*', access: 'anyone', load: () => import('./pages/not-found/index.tsx') },
]

/** The console's router: one frame around all pages, each behind its guard. */
export const createRouter = () =>
  createBrowserRouter([{ Component: Layout, ErrorBoundary: RouteFailure, children: pages.map(routeOf) }])

/** A page that breaks takes only itself down: the frame around it stays. */
function routeOf({ path, access, load }: PageRow) {
  const Page = lazy(load)
  return {
    path,
    ErrorBoundary: RouteFailure,
    element: (
      <Guard access={access}>
        <Page />
      </Guard>
    ),
  }
}
