import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** Launch options for every browser test; no `executablePath` means Playwright's own Chromium. */
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

/** Launches Chromium for browser tests: without background network requests, and without the sandbox for root. */
export function chromiumLaunch(): ChromiumLaunch {
  const system = systemChromium()
  const args = process.getuid?.() === 0 ? [...quietFlags, '--no-sandbox'] : quietFlags
  return { headless: true, ...(system && { executablePath: system }), args }
}

/** Whether a browser is available: the one named by CHROMIUM, the system's, or Playwright's own download. */
export function hasChromium(): boolean {
  return systemChromium() !== undefined || existsSync(chromium.executablePath())
}

function systemChromium(): string | undefined {
  // The headless shell is a full browser without a window; its pages need half the CPU time.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser']
  const pageRoutes = [process.env.CHROMIUM, ...names.map((name) => `/usr/bin/${name}`)]
  return pageRoutes.find((path) => path !== undefined && existsSync(path))
}
