import { readConfig } from '../../gateway/config.ts'
import { NoDataKey, openKeychain } from '../../main/keychain.ts'

/**
 * What a start of the desktop asks of the real keychain, in a process of its own, since libsecret keeps the first bus it met: says
 * `opened`, reads the key once a line has come, and tells what came of it as JSON.
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
