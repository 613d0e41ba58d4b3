import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** Launch options for every browser test; `executablePath` is left out when Playwright's own Chromium is to be used. */
export type ChromiumLaunch = { headless: boolean; executablePath?: string; args: string[] }

const quietFlags = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  '--disable-gpu',
  '--process-per-site',
]

/** How browser tests start Chromium: nothing it does by itself reaches the network, and root gives up the sandbox. */
export function chromiumLaunch(): ChromiumLaunch {
  const system = systemChromium()
  const args = process.getuid?.() === 0 ? [...quietFlags, '--no-sandbox'] : quietFlags
  return { headless: true, ...(system && { executablePath: system }), args }
}

/** True when a browser is there to test with: the one CHROMIUM names, the system's, or Playwright's own download. */
export function hasChromium(): boolean {
  return systemChromium() !== undefined || existsSync(chromium.executablePath())
}

function systemChromium(): string | undefined {
  // The shell has all of a browser but its window: a page takes half the processor time.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser']
  const pageRoutes = [process.env.CHROMIUM, ...names.map((name) => `/usr/bin/${name}`)]
  return pageRoutes.find((path) => path !== undefined && existsSync(path))
}
