import type {
  ConnectApplied,
  ConnectMoved,
  ConnectPlan,
  ConnectProblem,
  ConnectStatus,
  ConnectUndone,
} from './connect/connect-protocol.ts'

/** Signs the desktop window in once: the secret is sent as is to `POST /api/user/ticket`. */
export type DesktopTicket = Readonly<{ secret: string; userId: number }>

/** Both are sent to `POST /api/user/handover`, which gives the window the session of a login in the browser. */
export type DesktopHandover = Readonly<{ id: string; verifier: string }>

export type ConnectRequest = Readonly<{ client: string; key: string; model: string }>

/**
 * Sets up the user's programs on this computer. Its functions return null to callers that are not allowed to use them;
 * address and paths are determined only by the desktop program (docs/reference/connect.md#permissions).
 */
export interface DesktopConnect {
  status(): Promise<Readonly<Record<string, ConnectStatus | ConnectProblem>> | null>
  plan(request: ConnectRequest): Promise<ConnectPlan | ConnectProblem | null>
  /** Writes the plan with this seal, then tests it with one request. */
  apply(request: ConnectRequest & Readonly<{ seal: string }>): Promise<ConnectApplied | ConnectProblem | null>
  undo(client: string): Promise<ConnectUndone | ConnectProblem | null>
  /** Plans moving a program to the gateway's current address. */
  planMove(client: string): Promise<ConnectPlan | ConnectProblem | null>
  move(request: Readonly<{ client: string; seal: string }>): Promise<ConnectMoved | ConnectProblem | null>
}

/**
 * Everything the console's page can request of the desktop program, as `window.desktop`; undefined in browsers.
 * Everything else uses HTTP, as in any browser (docs/reference/security.md#desktop).
 */
export interface Desktop {
  /** As Node names it: `darwin`, `linux`, `win32`. */
  readonly platform: string
  /** A ticket for the program's owner; null unless the gateway is set up and in self-use mode. */
  ticket(): Promise<DesktopTicket | null>
  /** Opens the login in the system's browser, for this window; null before the setup. */
  handover(): Promise<DesktopHandover | null>
  openPersonal(): void
  /** Opens the desktop program's page of updates. */
  openUpdates(): void
  /** Opens the desktop program's page for users who cannot log in. */
  openLockedOut(): void
  readonly connect: DesktopConnect
}

/** The messages between window and desktop program; no others are handled. */
export const desktopChannels = {
  ticket: 'desktop.ticket',
  handover: 'desktop.handover',
  personal: 'desktop.personal',
  updates: 'desktop.updates',
  lockedOut: 'desktop.lockedOut',
  language: 'desktop.language',
  connectStatus: 'connect.status',
  connectPlan: 'connect.plan',
  connectApply: 'connect.apply',
  connectUndo: 'connect.undo',
  connectPlanMove: 'connect.planMove',
  connectMove: 'connect.move',
} as const
