/** Texts of the first-run wizard, in English. */
export const setup = {
  'setup.title': 'Set up {name}',
  'setup.intro': 'Create an administrator and choose a usage mode to get started.',
  'setup.container': 'The gateway runs in a container',
  'setup.containerHint': 'Mount its data folder. Otherwise, all data is lost when the container is replaced.',
  'setup.rootExists': 'An administrator already exists. You only need to choose the usage mode.',
  'setup.root': 'Administrator',
  'setup.link': 'Setup link',
  'setup.linkWhere':
    'Only the operator of this gateway can set it up. Open the one-time link printed at startup, or enter the link from the file setup-link in its data folder.',
  'setup.linkField': 'Setup link or code',
  'setup.linkMissing': 'Enter the setup link or its code',
  'setup.mode': 'Usage mode',
  'setup.mode.external': 'Several users',
  'setup.mode.external.short': 'Accounts with balances, prices required',
  'setup.mode.external.long':
    'For teams or customers. Each user has an account and a balance, and every model needs a price before it can be used.',
  'setup.mode.self': 'Self-use',
  'setup.mode.self.short': 'Just you, prices optional',
  'setup.mode.self.long': 'For personal use. Models without a price can be used; their cost is only an estimate.',
  'setup.mode.demo': 'Demo',
  'setup.mode.demo.short': 'Show what the gateway can do',
  'setup.mode.demo.long': 'For sites that show the features to visitors. The site is marked as a demo.',
  'setup.modeLater': 'You can change this later.',
  'setup.modeExplain': 'Compare usage modes',
  'setup.submit': 'Finish setup',
}
