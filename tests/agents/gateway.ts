import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aClient, dataOf, signedIn } from '../support/client.ts'
import { startHeadless } from '../support/headless.ts'
import { type FamilyName, families, familyNames } from '../support/vendors/families.ts'

const PASSWORD = 'a-long-password'

/** Models that agents request in addition to the configured one: Gemini CLI compacts with a model of its own choice. */
const OTHER_MODELS = [
  'gemini-3-pro-preview',
  'gemini-3.1-pro-preview-customtools',
  'gemini-3-flash-preview',
  'gemini-2.5-flash',
]

/** A gateway in its own process, with a channel and a group for every family of vendors, all at one address. */
export async function aGateway(vendorUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'agents-gateway-'))
  const child = startHeadless(folder, { LOG_LEVEL: 'error' })
  const ended = once(child, 'exit')
  const url = await listening(child.stdout)
  const root = await setUp(url, readFileSync(join(folder, 'setup-link'), 'utf8').trim())
  // All groups are free.
  const groups = ['default', ...familyNames]
  const option = async (key: string, value: object) =>
    dataOf(await root.put('/api/option', { key, value: JSON.stringify(value) }))
  await option('GroupRatio', Object.fromEntries(groups.map((name) => [name, 0])))
  await option('UserUsableGroups', Object.fromEntries(groups.map((name) => [name, name])))
  const keys = new Map<FamilyName, string>()
  for (const name of familyNames) {
    const { channel, label, model } = families[name]
    const others = OTHER_MODELS.filter((other) => other !== model)
    const model_mapping = JSON.stringify(Object.fromEntries(others.map((other) => [other, model])))
    const models = [model, ...others].join(',')
    dataOf(
      await root.post('/api/channel', {
        ...channel,
        name: label,
        models,
        model_mapping,
        group: name,
        base_url: vendorUrl,
      }),
    )
    const { key } = dataOf(await root.post('/api/token', { name, group: name, unlimited_quota: true }))
    keys.set(name, `sk-${key}`)
  }
  return {
    url,
    /** The key for a family, which works for every model name. */
    keyFor: (name: FamilyName): string => keys.get(name) ?? '',
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The address in the gateway's start-up message; its output is read to the end. */
function listening(output: NodeJS.ReadableStream): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    output.setEncoding('utf8').on('data', (part: string) => {
      said += part
      const url = /^Switchyard is listening on (\S+)$/m.exec(said)?.[1]
      if (url) resolve(url)
    })
    output.on('end', () => reject(new Error(`the gateway did not start: ${said}`)))
  })
}

async function setUp(url: string, link: string) {
  const { search } = new URL(link)
  const account = { username: 'root', password: PASSWORD, confirmPassword: PASSWORD, SelfUseModeEnabled: true }
  dataOf(await aClient(url).post(`/api/setup${search}`, account))
  return signedIn(url, 'root', PASSWORD)
}
