import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../gateway/config.ts'
import { readHostConfig } from '../../main/gateway-host.ts'
import { aChild } from './child.ts'
import { aFolder, modeOf } from './house.ts'

describe('a bad setting', () => {
  const bad: Record<string, readonly string[]> = {
    PORT: ['abc', '70000', '-1', '80.5'],
    HOST: ['example.org/x'],
    DATABASE_URL: [`mysql://u:${'x'.repeat(64)}@db/x`],
    DATABASE_URL_FILE: ['/nowhere/url'],
    REDIS_URL: [`http://u:${'x'.repeat(64)}@redis/x`, 'localhost:6379'],
    REDIS_URL_FILE: ['/nowhere/url'],
    NODE_LOST_AFTER: ['-1'],
    ALLOWED_HOSTS: ['a b'],
    TRUSTED_PROXIES: ['10.0.0.0/99', 'proxy.local'],
    FETCH_ALLOWED_ADDRESSES: ['10.0.0.0/99', 'files.local'],
    GEMINI_VISION_MAX_IMAGE_NUM: ['-2', 'some'],
    GLOBAL_API_RATE_LIMIT: ['-1'],
    GLOBAL_WEB_RATE_LIMIT: ['many'],
    CRITICAL_RATE_LIMIT: ['1.5'],
    UPSTREAM_CONNECT_TIMEOUT: ['0'],
    UPSTREAM_HEADERS_TIMEOUT: ['1e9'],
    UPSTREAM_IDLE_TIMEOUT: ['soon'],
    STREAMING_TIMEOUT: ['0'],
    RELAY_TIMEOUT: ['-1'],
    SETTLE: ['commit', 'never'],
    MAX_BODY_MEMORY_MB: ['15', '1.5'],
    MAX_FILE_DOWNLOAD_MB: ['0', '1.5'],
    MAX_REQUESTS: ['-1'],
    MAX_REQUESTS_PER_USER: ['1.5'],
    MAX_REQUESTS_PER_KEY: ['some'],
    MAX_SOCKETS: ['0'],
    MAX_SOCKETS_PER_ADDRESS: ['-1'],
    CHANNEL_TEST_FREQUENCY: ['-1'],
    CHANNEL_UPDATE_FREQUENCY: ['often'],
    POLLING_INTERVAL: ['-1'],
    UPDATE_TASK: ['perhaps'],
    USE_SYSTEM_CERTIFICATES: ['perhaps'],
    USE_SYSTEM_PROXY: ['perhaps'],
    TASK_POLLING_INTERVAL: ['0'],
    DRAIN_S: ['-5'],
    DRAIN_DELAY_S: ['-5'],
    NOTIFY_LIMIT_COUNT: ['-1', '1001'],
    NOTIFICATION_LIMIT_DURATION_MINUTE: ['1.5', '10081'],
    BACKUP_KEEP: ['-1', '1001'],
    GENERATE_DEFAULT_TOKEN: ['perhaps'],
    OPTION_MIN_ROLE: ['50'],
    SWITCHYARD_MASTER_KEY: ['c2hvcnQ=', 'x'.repeat(64)],
    LOG_LEVEL: ['loud'],
  }
  const flagOf = (name: string) => `--${name.toLowerCase().replaceAll('_', '-')}`

  it('is refused in one line for any fault; every setting has such a value except the folder', () => {
    const settings = Object.keys(readConfig({}, []))
    expect(Object.keys(bad).sort()).toEqual(settings.filter((name) => name !== 'DATA_DIR').sort())
    for (const [name, values] of Object.entries(bad))
      for (const value of values) {
        const message = expect.stringMatching(new RegExp(`^${name}: (?!.*${'x'.repeat(64)}).+$`))
        const refused = expect.objectContaining({ exitCode: 1, message })
        expect(() => readConfig({ [name]: value }, []), `${name}=${value}`).toThrow(refused)
        expect(() => readConfig({}, [`${flagOf(name)}=${value}`]), `${name}=${value}`).toThrow(refused)
      }
  })

  it('of a database needs the data key, and its URL may be in a file', async () => {
    const url = 'postgres://u:secret@db/x'
    const file = join(await aFolder(), 'url')
    writeFileSync(file, `${url}\n`)
    const key = { SWITCHYARD_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }
    for (const setting of [{ DATABASE_URL: url }, { DATABASE_URL_FILE: file }]) {
      expect(() => readConfig(setting, [])).toThrow(/^SWITCHYARD_MASTER_KEY: /)
      expect(readConfig({ ...setting, ...key }, []).DATABASE_URL).toBe(url)
    }
    writeFileSync(file, 'rediss://:secret@redis:6380/1\n')
    expect(readConfig({ REDIS_URL_FILE: file }, []).REDIS_URL).toBe('rediss://:secret@redis:6380/1')
    const onDesktop = readHostConfig('/data', { DATABASE_URL: url, REDIS_URL: 'redis://redis' })
    expect([onDesktop.DATABASE_URL, onDesktop.REDIS_URL]).toEqual(['', ''])
  })

  it('does not include an empty one, which means the default, and a flag overrides the environment', () => {
    const none = readConfig({}, [])
    for (const name of Object.keys(none)) {
      expect(readConfig({ [name]: '  ' }, []), name).toEqual(none)
      expect(readConfig({}, [`${flagOf(name)}=`]), name).toEqual(none)
    }
    expect(readConfig({ PORT: '1000', DRAIN_S: '7' }, ['--port', '2000'])).toMatchObject({ PORT: 2000, DRAIN_S: 7 })
  })
})

describe('a start', () => {
  // Slow, because it starts a process.
  it('makes a folder and files that only the owner can read', async () => {
    const folder = join(await aFolder(), 'data')
    const child = await aChild({ folder })
    expect((await fetch(`${child.url}/api/status`)).status).toBe(200)
    expect(modeOf(folder)).toBe('700')
    const modes = Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]))
    expect(Object.keys(modes)).toEqual(
      expect.arrayContaining([
        'switchyard.db',
        'switchyard.db-wal',
        'switchyard.db-shm',
        'master.key',
        'ledger.journal',
      ]),
    )
    expect([...new Set(Object.values(modes))], JSON.stringify(modes)).toEqual(['600'])
  })
})
