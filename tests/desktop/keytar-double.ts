/** Stands in for keytar, whose real one would write into the keychain of whoever runs the tests. */
const entries = new Map<string, string>()

const isThere = process.env.DOUBLE_KEYCHAIN === 'works'

/** A keychain that forgets with the process; with DOUBLE_KEYCHAIN other than `works` there is none. */
export default {
  async getPassword(service: string, account: string): Promise<string | null> {
    if (!isThere) throw new Error('Cannot autolaunch D-Bus without X11 $DISPLAY')
    return entries.get(`${service} ${account}`) ?? null
  },
  async setPassword(service: string, account: string, password: string): Promise<void> {
    if (!isThere) throw new Error('Cannot autolaunch D-Bus without X11 $DISPLAY')
    entries.set(`${service} ${account}`, password)
  },
}
