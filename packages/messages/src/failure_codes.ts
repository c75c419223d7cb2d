/** The closed list of what can go wrong at the border. The renderer may switch over it exhaustively. */
export const studioErrorCodes = [
  'invalid_input', // what was sent does not fit the contract; `field` names the part at fault
  'forbidden', // the sender is not our own page
  'not_found', // the thing named does not exist (any more)
  'conflict', // it exists already, or is in use
  'not_allowed', // the studio's own rules forbid it (deleting the built-in profile)
  'locked', // keys are locked behind a passphrase
  'key_missing', // the profile has no key for this group
  'cap_reached', // the spending cap would be passed
  'upstream_refused', // the server answered, and its answer is no
  'upstream_broken', // the server answered with something that is not the interface
  'unreachable', // no answer: no network, no such host, refused, TLS
  'timeout', // an answer did not come in time
  'cancelled', // somebody cancelled it
  'storage', // disk full, folder read-only, file damaged
  'unsupported', // this machine, shell or file can't do it
  'internal', // a defect of ours; the log has the details
] as const;
export type StudioErrorCode = (typeof studioErrorCodes)[number];
