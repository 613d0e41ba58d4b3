import { type Command, ENDS, failure, wrongUse } from './command.ts'
import { type Shell, withGateway } from './with-gateway.ts'

const USAGE = 'usage: channel list | channel test <id|name> [--model <model>]'

/** Lists channels, or tests one (docs/reference/channels.md#tests). */
export const channel: Command = {
  args: 'list | test <id|name>',
  about: 'tests a channel with one short request, also while a gateway runs; lists channels',
  flags: {
    '--model': { value: 'model', about: "the model to test; by default the channel's test model" },
  },
  async run(deps, { args: [verb, target, ...more], values }) {
    if (more.length > 0 || !['list', 'test'].includes(verb ?? '')) throw wrongUse(USAGE)
    if ((verb === 'list') !== (target === undefined)) throw wrongUse(USAGE)
    return withGateway(deps, async (shell) => {
      const channels = await all(shell)
      if (target === undefined) {
        for (const { id, name, status } of channels)
          deps.print(`${id}  ${name}  ${status === 1 ? 'enabled' : 'disabled'}`)
        return { result: channels.map(({ id, name, status }) => ({ id, name, is_enabled: status === 1 })) }
      }
      const found = channels.filter(({ id, name }) => String(id) === target || name === target)
      const [one] = found
      if (!one) throw failure(`unknown channel ${target}`)
      if (found.length > 1) throw failure(`several channels are called ${target}; name one by its id`)
      const path = `/api/channel/test/${one.id}?model=${encodeURIComponent(values['--model'] ?? '')}`
      const tested = await shell.request<Tested>('GET', path, { mayFail: true })
      const result = {
        id: one.id,
        name: one.name,
        is_working: tested.success,
        seconds: tested.time ?? 0,
        message: tested.message,
      }
      if (!tested.success) {
        deps.print(`Channel ${one.id} (${one.name}) failed: ${tested.message}`)
        return { result, exitCode: ENDS.failed }
      }
      deps.print(`Channel ${one.id} (${one.name}) works: ${result.seconds.toFixed(2)} s`)
      return { result }
    })
  },
}

type Listed = Readonly<{ id: number; name: string; status: number }>
type Tested = { data: null; success: boolean; message: string; time?: number }

const PAGE = 100

async function all(shell: Shell): Promise<Listed[]> {
  const found: Listed[] = []
  for (let page = 0; ; page += 1) {
    const { data } = await shell.request<{ data: Listed[] }>(
      'GET',
      `/api/channel?id_sort=true&p=${page}&page_size=${PAGE}`,
    )
    found.push(...data)
    if (data.length < PAGE) return found
  }
}
