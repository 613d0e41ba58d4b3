import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, expect, type Page } from '@playwright/test'
import { freePortAfter } from '../../main/free-port.ts'
import type { Oddity, Order, Report } from './electron-double.ts'

const root = join(import.meta.dirname, '../..')

/** The built desktop program with the stand-in for Electron; one window is one page of a real Chromium. */
export interface Program {
  readonly folder: string
  /** The page of the only window, once its address starts like this. */
  page(address: string): Promise<Page>
  /** Performs a user action outside the page. */
  order(order: Order): void
  /** The program's effects outside its pages, oldest first. */
  readonly reports: readonly Report[]
  /** The current labels of the native menu. */
  menu(): readonly string[]
  /** The exit code; resolves when the program has ended. */
  readonly ended: Promise<number | null>
  stop(): Promise<void>
}

export type Wanted = Readonly<{
  /** The program's own folder; a new one by default. */
  folder?: string
  environment?: Record<string, string>
  language?: string
  keychain?: 'works' | 'none'
  odd?: readonly Oddity[]
}>

/** Starts the program on its own folder and a free loopback port, with a working keychain. */
export async function aProgram(wanted: Wanted = {}): Promise<Program> {
  const folder = wanted.folder ?? (await mkdtemp(join(tmpdir(), 'switchyard-desktop-')))
  const debugPort = await freePortAfter(10_000 + (randomBytes(2).readUInt16BE() % 20_000), '127.0.0.1')
  const app = process.env.DESKTOP_FOLDER ?? root
  const { PATH = '', SystemRoot = '', CHROMIUM = '' } = process.env
  const child = spawn(
    process.execPath,
    ['--import', join(root, 'tests/desktop/register-double.ts'), join(app, 'out/main/index.js')],
    {
      env: {
        ...{ PATH, SystemRoot, CHROMIUM, LOG_LEVEL: 'silent', PORT: '0', USE_SYSTEM_CERTIFICATES: 'false' },
        // Clients that the program configures have their settings in this folder, so that the developer's own are never
        // touched.
        HOME: folder,
        USERPROFILE: folder,
        DOUBLE_APP: app,
        DOUBLE_DATA: folder,
        DOUBLE_PORT: String(debugPort),
        DOUBLE_LANGUAGE: wanted.language ?? 'en-GB',
        DOUBLE_ODD: (wanted.odd ?? []).join(),
        DOUBLE_KEYCHAIN: wanted.keychain ?? 'works',
        ...wanted.environment,
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  )
  const reports: Report[] = []
  child.on('message', (report) => void reports.push(report as Report)) // the double sends nothing else
  const ended = once(child, 'exit').then(([code]) => code as number | null) // as Node documents the event
  let browser: Browser | undefined
  const attached = async () => {
    browser ??= await chromium.connectOverCDP(`http://127.0.0.1:${debugPort}`)
    return browser
  }
  return {
    folder,
    ended,
    reports,
    order: (order) => void child.send(order),
    menu: () => reports.flatMap((report) => ('menu' in report ? [report.menu] : [])).at(-1) ?? [],
    async page(address) {
      let found: Page | undefined
      await expect(async () => {
        const pages = (await attached()).contexts().flatMap((context) => context.pages())
        found = pages.find((page) => page.url().startsWith(address))
        expect(found, `${pages.map((page) => page.url().slice(0, 80))}`).toBeDefined()
      }).toPass({ timeout: 60_000, intervals: [50, 100, 250] })
      return found!
    },
    async stop() {
      if (child.exitCode === null) child.kill('SIGKILL')
      await ended
      if (!wanted.folder) await rm(folder, { recursive: true, force: true })
    },
  }
}
