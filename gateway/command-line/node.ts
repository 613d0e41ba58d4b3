import { silentLogger } from '../base/log/logger.ts'
import { type Command, failure, wrongUse } from './command.ts'

/** docs/growth.md#nodes */
export const node: Command = {
  args: '[list | fence <name>]',
  about: 'lists the gateways that share a PostgreSQL database, or takes the unused quota of one back that is lost',
  async run({ config, print }, { args: [verb = 'list', name, ...more] }) {
    if (more.length > 0 || (verb === 'fence') !== (name !== undefined) || (verb !== 'list' && verb !== 'fence'))
      throw wrongUse('usage: node [list | fence <name>]')
    if (config.DATABASE_URL === '') throw wrongUse('DATABASE_URL is not set: SQLite has one gateway')
    const { openConnections, listNodes, fenceNode, FENCE_SECONDS } = await import('../composition/postgres.ts')
    const connections = openConnections({ url: config.DATABASE_URL, max: 1, statementMs: 0 }, silentLogger)
    try {
      if (name !== undefined) {
        const result = await fenceNode(connections, name, FENCE_SECONDS)
        if (result === 'missing') throw failure(`there is no node ${name}`)
        if (result === 'alive')
          throw failure(`node ${name} was heard in the last ${FENCE_SECONDS} s; stop it, or wait until it is silent`)
        print(`Fenced: ${name}`)
        return { result: { fenced: name } }
      }
      const nodes = await listNodes(connections)
      for (const one of nodes) print(lineOf(one))
      return { result: nodes }
    } finally {
      await connections.end()
    }
  },
}

type ListedNode = Readonly<{
  id: string
  seenAt: number
  silentSeconds: number
  fencedAt: number | null
  leased: number
  uncommitted: number
  uncommittedSeconds: number
}>

function lineOf(node: ListedNode): string {
  const { id, seenAt, silentSeconds, fencedAt, leased, uncommitted, uncommittedSeconds } = node
  const waiting = uncommitted > 0 ? `; ${uncommitted} charges not written, for ${uncommittedSeconds} s` : ''
  const heard = seenAt === 0 ? 'stopped' : `heard ${silentSeconds} s ago`
  return `${id}  ${fencedAt === null ? heard : 'fenced'}  quota in use or reserved ahead: ${leased}${waiting}`
}
