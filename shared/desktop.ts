import type {
  ConnectApplied,
  ConnectMoved,
  ConnectPlan,
  ConnectProblem,
  ConnectStatus,
  ConnectUndone,
} from './connect/desk.ts'

/** What signs the desktop's window in once: the secret goes to `POST /api/user/ticket` as it is. */
export type DesktopTicket = Readonly<{ secret: string; userId: number }>

/** What the window takes the session with of whoever logs in with the browser: both go to `POST /api/user/handover`. */
export type DesktopHandover = Readonly<{ id: string; verifier: string }>

/** The program that is meant, and what it gets. */
export type ConnectAsk = Readonly<{ client: string; key: string; model: string }>

/**
 * Setting up programs of the person at this computer. Null for whoever may not ask; the gateway's address and the paths are the
 * shell's alone to say (docs/reference/connect.md#who-may).
 */
export interface DesktopConnect {
  status(): Promise<Readonly<Record<string, ConnectStatus | ConnectProblem>> | null>
  plan(ask: ConnectAsk): Promise<ConnectPlan | ConnectProblem | null>
  /** Writes what a plan of this seal has shown, then tries it with one request. */
  apply(ask: ConnectAsk & Readonly<{ seal: string }>): Promise<ConnectApplied | ConnectProblem | null>
  undo(client: string): Promise<ConnectUndone | ConnectProblem | null>
  /** What would be written to lead a program to the gateway's address of now. */
  planMove(client: string): Promise<ConnectPlan | ConnectProblem | null>
  move(ask: Readonly<{ client: string; seal: string }>): Promise<ConnectMoved | ConnectProblem | null>
}

/**
 * All that the console's page may ask of the desktop around it, as `window.desktop`; a browser has none. Everything
 * else goes over HTTP, as in any browser (docs/reference/security.md#desktop).
 */
export interface Desktop {
  /** As Node names it: `darwin`, `linux`, `win32`. */
  readonly platform: string
  /** A ticket for whoever the program belongs to; null unless the gateway is set up and in self-use mode. */
  ticket(): Promise<DesktopTicket | null>
  /** Opens the login in the system's browser, for this window; null before the setup. */
  handover(): Promise<DesktopHandover | null>
  /** Opens the personal settings in the system's browser. */
  openPersonal(): void
  /** Opens the desktop program's own page of updates. */
  openUpdates(): void
  /** Opens the desktop program's own page for a person who cannot log in. */
  openLockedOut(): void
  readonly connect: DesktopConnect
}

/** The messages between the window and the shell; nothing else is listened to. */
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
