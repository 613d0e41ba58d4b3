import { readConfig } from '../../gateway/config.ts'
import { NoDataKey, openKeychain } from '../../main/keychain.ts'

/**
 * Uses the real keychain as a start of the desktop does, in its own process, since libsecret keeps the first bus it
 * connected to. Prints `opened`, reads the key once a line has arrived, and prints the result as JSON.
 */
try {
  const mayMakeKey = process.argv.includes('--may-make-key')
  const answerMs = Number(process.env.ANSWER_MS)
  const secrets = await openKeychain({ config: readConfig(process.env, []), mayMakeKey, answerMs })
  console.log('opened')
  await new Promise((resolve) => process.stdin.once('data', resolve))
  console.log(JSON.stringify({ kind: secrets.kind, key: (await secrets.dataKey()).toString('hex') }))
} catch (error) {
  if (!(error instanceof NoDataKey)) throw error
  console.log(JSON.stringify({ trouble: error.trouble, said: error.message }))
}
process.exit(0)
