import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the server on which worlds have their databases; undefined if they are on SQLite. */
    postgres?: string
  }
}

/** Starts the server of the project `postgres` (vitest.config.ts). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  project.provide('postgres', server.address)
  return server.stop
}
