# An app on AppKit, on the path that Apple documents (Cocoa Event Handling Guide, The Path of Key Events): key equivalents
# are keys with Command, keyboard interface control comes second, then key-down, key bindings and text.
profile: appkit
toolkit: appkit
keyEquivalents: commandKeys
disabledItemsKeepKeys: false
typesWithCommand: false
interfaceControl: beforeKeyDown
repeatDelay: 400ms
repeatInterval: 100ms
