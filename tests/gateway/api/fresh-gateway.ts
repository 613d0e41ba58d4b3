import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createGateway } from '../../../gateway/composition/create-gateway.ts'
import { readConfig } from '../../../gateway/config.ts'
import { headlessSecrets } from '../../../gateway/secrets.ts'
import { quickArgon2 } from '../../support/quick-argon2.ts'
import { layTables } from '../../support/tables.ts'

/** A gateway in its own folder that has not been set up; `restart` starts another on the same folder. */
export async function aFreshGateway(settings: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await layTables(folder)
  const SWITCHYARD_MASTER_KEY = randomBytes(32).toString('base64')
  const open = async () => {
    const config = readConfig({ PORT: '0', SWITCHYARD_MASTER_KEY, ...settings, DATA_DIR: folder }, [])
    const gateway = await createGateway({
      config,
      secrets: headlessSecrets(config),
      argon2: quickArgon2,
      checkAnswers: true,
    })
    let stopped: Promise<void> | undefined
    const stop = () => (stopped ??= gateway.stop())
    onTestFinished(stop)
    return { ...gateway, stop }
  }
  const gateway = await open()
  return {
    ...gateway,
    folder,
    async restart() {
      await gateway.stop()
      return open()
    },
  }
}

export const rootFields = { username: 'root', password: 'a-long-password', confirmPassword: 'a-long-password' }
