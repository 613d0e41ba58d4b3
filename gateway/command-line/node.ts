import { silentLogger } from '../base/log/logger.ts'
import { type Command, failure, wrongUse } from './command.ts'

/** Lists the nodes of a database, and fences, drains or resumes one (docs/growth.md#nodes). */
export const node: Command = {
  args: '[list | fence <name> | drain <name> | resume <name>]',
  about:
    'lists the gateways that share a PostgreSQL database, frees the quota of a lost one, or takes one out of service',
  async run({ config, print }, { args: [verb = 'list', name, ...more] }) {
    const isKnown = verb === 'list' ? name === undefined : VERBS.includes(verb) && name !== undefined
    if (more.length > 0 || !isKnown) throw wrongUse(`usage: node ${node.args}`)
    if (config.DATABASE_URL === '') throw wrongUse('DATABASE_URL is not set: SQLite has one gateway')
    const { openConnections, listNodes, fenceNode, drainNode, FENCE_SECONDS } = await import(
      '../composition/postgres.ts'
    )
    const connections = openConnections({ url: config.DATABASE_URL, max: 1, statementMs: 0 }, silentLogger)
    try {
      if (name !== undefined && verb !== 'fence') {
        if (!(await drainNode(connections, name, verb === 'drain'))) throw failure(`there is no node ${name}`)
        print(`${verb === 'drain' ? 'Draining' : 'Ready again'}: ${name}`)
        return { result: { [verb]: name } }
      }
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

const VERBS = ['fence', 'drain', 'resume']

type ListedNode = Readonly<{
  id: string
  host: string
  seenAt: number
  silentSeconds: number
  fencedAt: number | null
  leased: number
  uncommitted: number
  uncommittedSeconds: number
  isDraining: boolean
}>

function lineOf(node: ListedNode): string {
  const { id, host, seenAt, silentSeconds, fencedAt, leased, uncommitted, uncommittedSeconds, isDraining } = node
  const waiting = uncommitted > 0 ? `; ${uncommitted} charges not written, for ${uncommittedSeconds} s` : ''
  const heard = seenAt === 0 ? 'stopped' : `heard ${silentSeconds} s ago${isDraining ? ', draining' : ''}`
  return `${id}  ${host}  ${fencedAt === null ? heard : 'fenced'}  quota in use or reserved ahead: ${leased}${waiting}`
}
