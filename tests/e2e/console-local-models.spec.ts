import { createServer } from 'node:http'
import { expect } from '@playwright/test'
import { type ServedVendor, servedVendor } from './served-vendor.ts'
import { test } from './shared-browser.ts'
import { findings } from './stub-local-models.ts'
import { tells } from './stub-routing.ts'
import { signIn } from './visitor.ts'

let vendor: ServedVendor
/** Models of a fake Ollama, which a test changes. */
let names = ['gemma3:4b']
const ollama = createServer((request, response) => {
  const data = names.map((id) => ({ id, object: 'model', owned_by: 'library' }))
  const models = names.map((name) => ({ name, size: 3_338_801_804 }))
  const said = { '/v1/models': { object: 'list', data }, '/api/tags': { models } }[request.url ?? '']
  response.writeHead(said ? 200 : 404).end(JSON.stringify(said ?? {}))
})
let port = 0

test.beforeAll(async () => {
  vendor = await servedVendor()
  await new Promise<void>((resolve) => ollama.listen(0, '127.0.0.1', resolve))
  const address = ollama.address()
  port = address !== null && typeof address === 'object' ? address.port : 0
})
test.afterAll(async () => {
  ollama.close()
  ollama.closeAllConnections()
  await vendor.stop()
})

test('root sees which requests a search sends, adds a program in one click, and takes over new and removed models', async ({
  page,
}) => {
  await signIn(page, vendor.url)
  await page.goto(`${vendor.url}/channel`)
  await page.getByRole('link', { name: 'Find local models' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Local models' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Ollama 127.0.0.1:11434')
  await expect(page.getByRole('main')).toContainText('Jan 127.0.0.1:1337')

  await tells(/\/api\/local-models\/probe$/, findings)(page)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('status').filter({ hasText: '3 programs found' })).toBeVisible()
  const jan = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Jan' }) })
  await expect(jan).toContainText('Needs a key')
  await expect(jan.getByLabel('Key of Jan')).toBeVisible()
  await page.unroute(/\/api\/local-models\/probe$/)

  await page.getByLabel('Address', { exact: true }).fill('example.com:80')
  await page.getByRole('button', { name: 'Check address' }).click()
  await expect(page.getByText('Enter host:port of this computer or a private network')).toBeVisible()
  await page.getByLabel('Address', { exact: true }).fill(`localhost:${port}`)
  await page.keyboard.press('Enter')
  const found = page.getByRole('listitem').filter({ hasText: `localhost:${port}` })
  await expect(found).toContainText('gemma3:4b')
  await expect(found).toContainText('3.3 GB')
  await found.getByRole('button', { name: 'Add as channel: Ollama' }).click()
  await expect(page.getByText('Channel Ollama added')).toBeVisible()

  const list = page.getByRole('list', { name: 'Channels of local programs' })
  await expect(list).toContainText('The models are up to date.')
  names = ['qwen3:8b']
  await list.getByRole('button', { name: 'Update models: Ollama' }).click()
  await expect(page.getByText('Models of Ollama updated')).toBeVisible()
  await list.getByText('Auto-update models: Ollama').click()
  await expect(list.getByRole('checkbox')).toBeChecked()
  await list.getByRole('link', { name: 'Ollama' }).click()
  await expect(page.getByRole('dialog')).toContainText('qwen3:8b')
})
