import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { networkIn } from './base/network/ip-address.ts'
import { CannotStart, EXIT } from './store/sqlite/database.ts'

const seconds = (fallback: number, min = 1) => z.coerce.number().int().min(min).max(86_400).default(fallback)
const minutes = () => z.coerce.number().int().min(0).max(10_080).default(0)
const perWindow = (fallback: number) => z.coerce.number().int().min(0).max(1_000_000).default(fallback)
const atOnce = (fallback: number) => z.coerce.number().int().min(0).max(1_000_000).default(fallback)

const isPostgres = (url: string): boolean => url === '' || /^postgres(ql)?:\/\/./.test(url)
const isRedis = (url: string): boolean => url === '' || (/^rediss?:\/\/./.test(url) && URL.canParse(url))

/** Process settings, named as in the environment; flags are in lower case with dashes (`--data-dir`). */
const settings = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(6411),
  HOST: z
    .string()
    .refine((host) => isIP(host) !== 0 || host === 'localhost', 'an IP address or localhost')
    .default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default(join(homedir(), '.switchyard')),
  /** A PostgreSQL database, or a file that contains its URL; empty uses SQLite in DATA_DIR (docs/growth.md). */
  DATABASE_URL: z.string().refine(isPostgres, { error: 'must be a postgres:// URL' }).default(''),
  DATABASE_URL_FILE: z.string().default(''),
  /**
   * A Redis server in which the nodes of a PostgreSQL database count limits together, or a file that contains its URL;
   * ignored on SQLite (docs/growth.md#redis).
   */
  REDIS_URL: z.string().refine(isRedis, { error: 'must be a redis:// or rediss:// URL' }).default(''),
  REDIS_URL_FILE: z.string().default(''),
  /** When a response may end: once its charge is in the journal of DATA_DIR, or in the PostgreSQL database. */
  SETTLE: z.enum(['journal', 'commit']).default('journal'),
  /** Seconds of silence after which the other nodes fence a node; 0 for never (docs/growth.md#nodes). */
  NODE_LOST_AFTER: seconds(0, 0),
  /** Host names that this gateway accepts in addition to its own addresses and ServerAddress; comma separated. */
  ALLOWED_HOSTS: list((entry) => /^[a-z0-9.[\]:-]+$/i.test(entry), 'host names'),
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-For is trusted; comma separated. */
  TRUSTED_PROXIES: list((entry) => networkIn(entry) !== undefined, 'IP addresses or CIDR ranges'),
  /**
   * Local addresses or CIDR ranges to which webhooks and downloads of files named by URL may connect; comma separated.
   */
  FETCH_ALLOWED_ADDRESSES: list((entry) => networkIn(entry) !== undefined, 'IP addresses or CIDR ranges'),
  /** Images per message for Gemini; -1 for no limit (docs/reference/conversion.md#openai-to-gemini). */
  GEMINI_VISION_MAX_IMAGE_NUM: z.coerce.number().int().min(-1).default(16),
  /**
   * API calls per 180 s from one session or address, and console pages from one address; 0 for no limit
   * (docs/reference/limits.md#console-rates).
   */
  GLOBAL_API_RATE_LIMIT: perWindow(180),
  GLOBAL_WEB_RATE_LIMIT: perWindow(60),
  /** Calls per 1200 s from one address, for each family of critical routes; 0 for no limit. */
  CRITICAL_RATE_LIMIT: perWindow(20),
  /**
   * Whether to trust the system's certificates, and to use its proxy (docs/reference/security.md#corporate-networks).
   */
  USE_SYSTEM_CERTIFICATES: z.stringbool().default(true),
  USE_SYSTEM_PROXY: z.stringbool().default(true),
  UPSTREAM_CONNECT_TIMEOUT: seconds(10),
  UPSTREAM_HEADERS_TIMEOUT: seconds(120),
  /**
   * How long the body of a response may be silent; twice as long for reasoning models
   * (docs/reference/streams.md#time-outs).
   */
  UPSTREAM_IDLE_TIMEOUT: seconds(300),
  /** `UPSTREAM_IDLE_TIMEOUT` under the name used by compatible gateways; takes precedence. */
  STREAMING_TIMEOUT: seconds(300),
  /** Maximum total duration of one upstream call; 0 for no limit. */
  RELAY_TIMEOUT: seconds(0, 0),
  /** Memory of the bodies of all active requests, in MiB; a single body may have 128. */
  MAX_BODY_MEMORY_MB: z.coerce.number().int().min(16).max(65_536).default(512),
  /** Largest file downloaded for a caller who names it by URL, in MiB (docs/reference/limits.md#files-named-by-url). */
  MAX_FILE_DOWNLOAD_MB: z.coerce.number().int().min(1).max(512).default(20),
  /**
   * Minutes between tests, and between balance updates, of all channels; 0 for never
   * (docs/reference/channels.md#background-jobs).
   */
  CHANNEL_TEST_FREQUENCY: minutes(),
  CHANNEL_UPDATE_FREQUENCY: minutes(),
  /** Whether this process polls unfinished drawings and tasks, and how often (docs/reference/tasks.md#polling). */
  UPDATE_TASK: z.stringbool().default(true),
  TASK_POLLING_INTERVAL: seconds(15),
  /** Seconds between the starts of two channels in a test or balance run. */
  POLLING_INTERVAL: seconds(0, 0),
  /**
   * Concurrent relayed requests, in total, per account and per key; 0 for no limit
   * (docs/reference/limits.md#concurrent-requests).
   */
  MAX_REQUESTS: atOnce(2000),
  MAX_REQUESTS_PER_USER: atOnce(200),
  MAX_REQUESTS_PER_KEY: atOnce(160),
  /**
   * Max connections, in total and per address; per address, 0 means unlimited (docs/reference/limits.md#connections).
   */
  MAX_SOCKETS: z.coerce.number().int().min(1).max(1_000_000).default(4000),
  MAX_SOCKETS_PER_ADDRESS: atOnce(256),
  /** How long streams may continue after SIGTERM. */
  DRAIN_S: seconds(30, 0),
  /** How long `/readyz` reports 503 before new requests are refused, so that a balancer stops sending them. */
  DRAIN_DELAY_S: seconds(0, 0),
  /**
   * Maximum notices of one kind per account, and the minutes of the period; 0 applies each kind's own limit
   * (docs/reference/limits.md#notices).
   */
  NOTIFY_LIMIT_COUNT: z.coerce.number().int().min(0).max(1000).default(0),
  NOTIFICATION_LIMIT_DURATION_MINUTE: minutes(),
  /** Nightly backups kept; 0 makes none (docs/reference/backup.md#schedule). */
  BACKUP_KEEP: z.coerce.number().int().min(0).max(1000).default(7),
  /** Whether accounts that register get a first API token. */
  GENERATE_DEFAULT_TOKEN: z.stringbool().default(false),
  OPTION_MIN_ROLE: z.coerce
    .number()
    .pipe(z.union([z.literal(10), z.literal(100)]))
    .default(10),
  /** The 32-byte data key, in base64 or hex; without it, the key is in a 0600 file in DATA_DIR. */
  SWITCHYARD_MASTER_KEY: z
    .string()
    .default('')
    .transform((text, context) => (text === '' ? null : (masterKey(text) ?? invalidKey(context)))),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/** The process's configuration, parsed once and passed down. */
export type Config = Readonly<z.output<typeof settings>>
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings: a flag takes precedence over the environment, and both over the default; empty values are
 * ignored. Throws `CannotStart` (exit code 1) with one line that names the invalid setting or flag.
 */
export function readConfig(environment: Environment, argv: readonly string[]): Config {
  const given: Record<string, string> = {}
  for (const name of Object.keys(settings.shape)) {
    const value = environment[name]?.trim()
    if (value) given[name] = value
  }
  const all = { ...given, ...flags(argv) }
  const idle = all.STREAMING_TIMEOUT ?? all.UPSTREAM_IDLE_TIMEOUT
  const parsed = settings.safeParse({ ...all, ...(idle === undefined ? {} : { STREAMING_TIMEOUT: idle }) })
  if (parsed.success) return withUrls({ ...parsed.data, DATA_DIR: resolve(parsed.data.DATA_DIR) })
  const [issue] = parsed.error.issues
  throw new CannotStart(
    EXIT.badConfig,
    `${String(issue?.path[0] ?? 'configuration')}: ${issue ? reasonOf(issue) : 'not valid'}`,
  )
}

/**
 * Reads URLs from files, which keep their passwords out of the environment, and checks the settings that depend on
 * these URLs. Throws `CannotStart`.
 */
function withUrls(config: Config): Config {
  const url = config.DATABASE_URL || urlIn('DATABASE_URL_FILE', config)
  if (!isPostgres(url)) throw new CannotStart(EXIT.badConfig, 'DATABASE_URL_FILE: must contain a postgres:// URL')
  const redis = config.REDIS_URL || urlIn('REDIS_URL_FILE', config)
  if (!isRedis(redis)) throw new CannotStart(EXIT.badConfig, 'REDIS_URL_FILE: must contain a redis:// or rediss:// URL')
  if (url === '' && config.SETTLE === 'commit')
    throw new CannotStart(EXIT.badConfig, 'SETTLE: commit needs DATABASE_URL; SQLite has its journal')
  if (url !== '' && config.SWITCHYARD_MASTER_KEY === null)
    throw new CannotStart(EXIT.badConfig, 'SWITCHYARD_MASTER_KEY: must be set if the data is in PostgreSQL')
  return { ...config, DATABASE_URL: url, REDIS_URL: redis }
}

function urlIn(name: 'DATABASE_URL_FILE' | 'REDIS_URL_FILE', { [name]: file }: Config): string {
  if (file === '') return ''
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new CannotStart(EXIT.badConfig, `${name}: ${file} cannot be read`, cause)
  }
}

/** Plain words for number errors; the setting's own message otherwise. */
function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && ['number', 'int'].includes(issue.expected)) return 'must be a whole number'
  if (issue.code === 'too_small' && issue.origin !== 'string') return `must be at least ${issue.minimum}`
  if (issue.code === 'too_big' && issue.origin !== 'string') return `must be at most ${issue.maximum}`
  return issue.message
}

function flags(argv: readonly string[]): Record<string, string> {
  const names = Object.keys(settings.shape)
  const options = Object.fromEntries(names.map((name) => [flagOf(name), { type: 'string' as const }]))
  try {
    const { values } = parseArgs({ args: [...argv], options, strict: true })
    return Object.fromEntries(
      names.flatMap((name) => {
        const value = values[flagOf(name)]
        return typeof value === 'string' && value.trim() ? [[name, value.trim()]] : []
      }),
    )
  } catch (cause) {
    throw new CannotStart(EXIT.badConfig, cause instanceof Error ? cause.message : 'invalid flags', cause)
  }
}

const flagOf = (name: string) => name.toLowerCase().replaceAll('_', '-')

export const flagNames: readonly string[] = Object.keys(settings.shape).map(flagOf)

function list(holds: (entry: string) => boolean, what: string) {
  return z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .refine((entries) => entries.every(holds), `must be ${what}, separated by commas`)
}

function masterKey(text: string): Buffer | undefined {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  return key.length === 32 ? key : undefined
}

function invalidKey(context: z.RefinementCtx): never {
  context.addIssue({ code: 'custom', message: 'must be 32 bytes in base64 or hex' })
  return z.NEVER
}
