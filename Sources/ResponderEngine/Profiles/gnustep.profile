# An app on GNUstep's AppKit (gui 0.29), as recorded on Debian 12: every key is asked for as a key equivalent, a disabled
# item keeps its key, a key with Command that nothing took is typed, and interface control is what is left of key-down.
profile: gnustep
toolkit: appkit
keyEquivalents: everyKey
disabledItemsKeepKeys: true
typesWithCommand: true
interfaceControl: afterKeyDown
repeatDelay: 400ms
repeatInterval: 100ms
