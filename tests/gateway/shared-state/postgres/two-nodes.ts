import { inject, onTestFinished } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { type Connections, openConnections } from '../../../../gateway/store/postgres/connections.ts'
import { aPostgresDatabase } from '../../../support/tables.ts'

/** The connections of a node, and a function that runs statements on them. */
export type Node = Readonly<{ connections: Connections; run: Connections['run'] }>

export const aDatabase = (): Promise<string> => aPostgresDatabase(inject('postgres') ?? '')

export function aNode(url: string): Node {
  const connections = openConnections({ url, max: 3, statementMs: 5000 }, silentLogger)
  onTestFinished(() => connections.end())
  return { connections, run: connections.run }
}

/** Two nodes of one empty database. */
export async function twoNodes(): Promise<readonly [Node, Node]> {
  const url = await aDatabase()
  return [aNode(url), aNode(url)]
}
