/** Stands in for keytar, because the real one would write into the developer's keychain. */
const entries = new Map<string, string>()

const isThere = process.env.DOUBLE_KEYCHAIN === 'works'

/** A keychain in memory; none exists with DOUBLE_KEYCHAIN other than `works`. */
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
