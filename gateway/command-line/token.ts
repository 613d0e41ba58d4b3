import type { TokenView } from '../../shared/api/token.ts'
import { type Command, type Given, wrongUse } from './command.ts'
import { accountOf, withGateway } from './with-gateway.ts'

const USAGE =
  'usage: token create <name> [--user <name>] [--quota <units>] [--group <group>] [--models <names>] [--days <days>]'
const DAY_SECONDS = 86_400

/** Creates API tokens, by the rules of the console (docs/reference/accounts.md#api-tokens). */
export const token: Command = {
  args: 'create <name>',
  about: 'makes an API token and prints its key, also while a gateway runs',
  flags: {
    '--user': { value: 'name', about: 'the account that the token belongs to; without it, the super administrator' },
    '--quota': { value: 'units', about: 'its limit in quota units; none by default' },
    '--group': { value: 'group', about: 'the group it works in; without it that of the account' },
    '--models': { value: 'names', about: 'the only models it may use, joined by commas' },
    '--days': { value: 'days', about: 'how long it is valid; unlimited by default' },
  },
  async run(deps, input) {
    const [verb, name, ...more] = input.args
    if (verb !== 'create' || name === undefined || more.length > 0) throw wrongUse(USAGE)
    const { '--models': models, '--group': group = '', '--user': user } = input.values
    const quota = integerIn(input, '--quota')
    const days = integerIn(input, '--days')
    const body = {
      name,
      group,
      unlimited_quota: quota === undefined,
      remain_quota: quota ?? 0,
      model_limits_enabled: models !== undefined,
      model_limits: models ?? '',
      expired_time: days === undefined ? -1 : Math.floor(deps.clock.now() / 1000) + days * DAY_SECONDS,
    }
    return withGateway(deps, async (shell) => {
      const asUser = await accountOf(shell, user)
      const { data } = await shell.request<{ data: TokenView }>('POST', '/api/token', { body, asUser })
      deps.print(`sk-${data.key}`)
      deps.print(`This is the key of the token “${data.name}” (${data.id}). It is printed only once.`)
      return { result: { id: data.id, name: data.name, key: `sk-${data.key}`, user: user ?? null } }
    })
  },
}

function integerIn({ values }: Given, flag: string): number | undefined {
  const text = values[flag]
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw wrongUse(`${flag} must be a whole number`)
  return Number(text)
}
