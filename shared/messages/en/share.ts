/** Sharing on the local network, in English (docs/reference/share.md). */
export const share = {
  'job.name.share': 'Sharing on the local network',
  'job.about.share':
    'Opens shared addresses that could not be opened before or are new, closes those that have gone, and renews the certificate.',
  'job.share_open': 'Open addresses: {open}; closed: {closed}',
  'share.environment':
    'HOST is set to {host} in the environment, so the environment decides where the gateway listens. Remove HOST or set it to 127.0.0.1, and restart, to share it from here.',
  'share.not_set_up': 'Complete the setup first: the gateway is shared only once it has a super administrator.',
  'share.password_unknown':
    'Enter your password once, so that its length can be checked: sharing needs a password of at least {min} characters, or a passkey.',
  'share.password_short':
    'Sharing needs a super administrator with a password of at least {min} characters, or a passkey. Change the password under "Personal settings", then switch sharing on again.',
  'share.bad_range': '{line} is neither an address nor a CIDR range such as 192.168.1.0/24',
  'share.no_address': 'This machine does not have the address {address} now',
  'share.no_ca': 'No certificate authority exists yet. It is created when sharing is turned on with encryption.',
  'share.not_kept': 'The change could not be saved: {said}',
  'share.only_here':
    'This can be done only at the computer on which the gateway runs, not at an address shared on the network',
  'share.register_closed':
    'Registration is closed at addresses shared on the network. Ask the administrator for an invitation.',
  'share.closed.port_taken':
    'Another program uses port {port} on {address}. Choose another port; it is tried again every 30 seconds.',
  'share.closed.address_gone':
    'This machine does not have the address {address} at the moment. It is tried again every 30 seconds.',
  'share.closed.not_permitted': 'The system does not let this program listen on port {port}. Choose a port above 1023.',
  'share.closed.certificate': 'The certificate could not be made: {reason}',
  'share.closed.failed': 'The address could not be opened ({reason}). It is tried again every 30 seconds.',
  'share.check.reachable':
    'Reachable from this machine. That does not prove that a firewall lets other devices in; a request from one of them does.',
  'share.check.refused': 'The connection was refused. A program that protects this machine may block it.',
  'share.check.timed_out': 'No response within {seconds} seconds. A firewall may drop the connection.',
  'share.check.other': 'Another program responds at this address, not this gateway',
  'share.check.untrusted': 'The encrypted connection could not be verified: {reason}',
  'share.check.unknown_name': 'This machine cannot resolve the name {name}. Other devices may be able to.',
  'share.check.closed': 'Sharing is off, so nothing listens here',
  'share.announced': 'Announced as {name}',
  'share.taken': 'Another device on the network already uses the name {name}. Choose another one.',
  'share.announce_failed': 'The name could not be announced ({reason}). Sharing itself is not affected.',
  'log.share_on': '{actor} switched on sharing on the local network, port {port}',
  'log.share_off': '{actor} switched off sharing on the local network; every connection was ended',
  'log.share_changed': '{actor} changed sharing on the local network',
}
