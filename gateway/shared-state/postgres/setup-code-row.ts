import { UnreadableSecret, type Vault } from '../../base/secrets/ciphers.ts'
import type { Connections } from '../../store/postgres/connections.ts'
import { newSetupCode, type SetupCode } from '../setup-code.ts'

type SetupCodeDeps = Readonly<{ run: Connections['run']; vault: Pick<Vault, 'seal' | 'open'> }>

const CONTEXT = 'ephemeral|setup code|value'
const READ = `insert into ephemeral (kind, key, value, tries, until) values ('setup', 'code', $1, 1, 'infinity')
  on conflict (kind, key) do update set value = ephemeral.value returning value`
const REPLACE = `delete from ephemeral where kind = 'setup' and value = $1`
const FORGET = `delete from ephemeral where kind = 'setup'`

/** Stores the code in a row, encrypted, until setup is done, so that every node prints the same link at each start. */
export function setupCodeRow({ run, vault }: SetupCodeDeps): SetupCode {
  const read = async (): Promise<string> => {
    const [row] = await run<{ value: string }>(READ, [vault.seal(newSetupCode(), CONTEXT)])
    if (!row) throw new Error('the database returned no setup code')
    try {
      return vault.open(row.value, CONTEXT)
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error
      // The code was sealed with another data key. Nothing has been set up yet, so a new code can replace it.
      await run(REPLACE, [row.value])
      return read()
    }
  }
  return { read, forget: async () => void (await run(FORGET)) }
}
