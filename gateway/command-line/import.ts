import { createVault } from '../base/secrets/ciphers.ts'
import { importFromShell, type importSwitches } from '../import/import-from-shell.ts'
import { type Command, ENDS, failure, wrongUse } from './command.ts'
import { requireKey } from './data-key.ts'
import { requireDatabase, withDatabase } from './in-folder.ts'

/** Imports the data of another gateway (docs/operations.md#import). */
export const importing: Command = {
  args: '<file>',
  about: 'takes over the accounts, channels and settings of another gateway, while no gateway runs',
  flags: {
    '--dry-run': { about: 'reports what would be imported, and writes nothing' },
    '--history': { about: 'takes over the usage log and the top-ups as well' },
    '--overwrite': { about: 'takes over settings that were changed here, too' },
    '--skip-names': { about: 'leaves out users whose name exists here' },
    '--root-is-mine': { about: "adds the other root's tokens to root here" },
    '--environment': { about: 'reads variables that a config.yaml names from the environment' },
  } satisfies Record<(typeof importSwitches)[number], { about: string }>,
  async run(deps, { args, switches }) {
    const { config, clock, secrets, environment } = deps
    const [file, ...more] = args
    if (file === undefined || more.length > 0) throw wrongUse('usage: import <file> [--dry-run]')
    const lines: string[] = []
    const print = (line: string) => {
      lines.push(line)
      deps.print(line)
    }
    requireDatabase(config)
    requireKey(deps)
    const problem = await withDatabase(deps, async (db) => {
      const vault = createVault(await secrets.dataKey())
      return importFromShell({ db, vault, clock, folder: config.DATA_DIR, file, switches, environment, print })
    })
    if (problem !== undefined) throw failure(problem, ENDS.badData)
    return { result: { lines } }
  },
}
