import { shell } from 'electron'
import type { Gateway } from '../gateway/app.ts'
import type { DesktopHandover } from '../shared/desktop.ts'

/** The console's pages that the system's browser is opened at: its own, never one that a page has asked for. */
interface ConsoleBrowser {
  /** Opens the login for the window, which takes its session with the answer; null before the setup. */
  handover(): DesktopHandover | null
  openPersonal(): void
}

/**
 * Opens it where people know the gateway, since providers lead back there alone
 * (docs/reference/accounts.md#hand-over-to-the-desktop). The verifier stays here and in the window.
 */
export function createConsoleBrowser(gateway: Gateway): ConsoleBrowser {
  const open = (path: string) => {
    const address = gateway.inner.settings.serverAddress()
    // A system without a browser says so itself.
    shell.openExternal(address + path).catch(() => {})
  }
  return {
    handover() {
      if (gateway.setupLink !== null) return null
      const begun = gateway.handover()
      open(`/login?${new URLSearchParams({ next: `/handover?id=${begun.id}` })}`)
      return begun
    },
    openPersonal: () => open('/personal'),
  }
}
