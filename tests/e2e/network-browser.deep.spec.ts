import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, expect, test } from '@playwright/test'
import { asRoot, networkedGateway, PORT } from '../process/networked-gateway.ts'
import { CLIENT, type Networks, SERVER, twoNetworks, whyNoNetworks } from '../process/two-networks.ts'
import { skipWhere } from '../support/skip.ts'
import { chromiumLaunch } from './chromium.ts'
import { ROOT, readyGateway } from './gateway.ts'
import { signInByHand, troublesOf } from './visitor.ts'

const atEnd: (() => unknown)[] = []
test.afterEach(async () => {
  for (const act of atEnd.splice(0).reverse()) await act()
})

/** A browser in the client's network namespace. */
async function browserOf(networks: Networks, folder: string): Promise<Browser> {
  const { executablePath = chromium.executablePath(), ...launch } = chromiumLaunch()
  const starter = join(folder, 'browser')
  writeFileSync(starter, `#!/bin/sh\nexec ${networks.inClient.join(' ')} '${executablePath}' "$@"\n`, { mode: 0o700 })
  // The networks are in a namespace in which every user is root.
  const args = [...launch.args, '--no-sandbox']
  const browser = await chromium.launch({ ...launch, args, executablePath: starter })
  atEnd.push(() => browser.close())
  return browser
}

test('a user in another network signs in there, works in the console, and gets a notice when sharing ends (docs/reference/share.md)', async () => {
  const why = whyNoNetworks()
  skipWhere(why !== undefined, why ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-network-'))
  atEnd.push(() => rmSync(folder, { recursive: true, force: true }))
  const masterKey = randomBytes(32).toString('base64')
  const before = await readyGateway({ folder, environment: { SWITCHYARD_MASTER_KEY: masterKey } })
  await before.stop()
  const networks = await twoNetworks((act) => atEnd.push(act))
  await networkedGateway(networks, folder, masterKey)
  const browser = await browserOf(networks, folder)
  // tests/process/share.deep.test.ts verifies the certificate.
  const page = await browser.newPage({ ignoreHTTPSErrors: true })
  const url = `https://${SERVER}:${PORT}`
  await expect(page.goto(`${url}/login`)).rejects.toThrow('ERR_CONNECTION_REFUSED')

  expect(await asRoot(folder, 'PUT', '/api/share', { on: true, password: ROOT.password })).toMatchObject({
    success: true,
  })
  const troubles = troublesOf(page)
  await signInByHand(page, url)
  await page.goto(`${url}/token`)
  await page.getByRole('button', { name: 'Add token' }).first().click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('made over there')
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'made over there' })).toBeVisible()
  await page.getByRole('link', { name: 'Usage logs' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Usage logs' })).toBeVisible()
  await page.goto(`${url}/share`)
  await expect(page.getByText(CLIENT).first()).toBeVisible()
  expect(troubles).toEqual([])

  expect(await asRoot(folder, 'PUT', '/api/share', { on: false })).toMatchObject({ success: true })
  await expect(page.getByRole('alert').filter({ hasText: 'The gateway is not responding' })).toBeVisible()
})
