# iOS 27. Sources: the behaviour specification, sections 0.1 and 12.
profile: ios27
stageOrder: textFirst
rawPresses: true
repeats: true
overlay: menuBar
localises: true
mirrors: true
blocksUnperformable: true
passesPerKeyDown: 1
queryOnKeyUp: false
queryOnRepeatTick: true
startWithoutFirstResponder: deepest
matchAlphaShift: false
keyWindowScope: scene
swallowBlocksSystem: true
precedence: nearestFirst
mainMenuPosition: afterChain
shiftedWithShift: true
priorityBeforeIME: true
imeBeforeCommandsLegacy: true
modalFilterAffectsCollection: false
repeatDelay: 400ms
repeatInterval: 100ms
commandDotIsEscape: true
alternatePrecedence: afterParent
hudModifierOrder: ⌃⌥⇧⌘
laterDownEndsRepeat: true
splitViewQueriesPrimary: false
applicationCommandsNeedSecondPress: false
verticalArrowsDeadInTextView: false
emptyInputMatchesModifier: true
emptyFocusConsumes: true
escapeTakenByText: true
deepestResponderChildChoice: unambiguous
notificationOrder: willChangeFrame willShowHide didChangeFrame didShowHide
localisationTable: de:[=ö de:]=ä
filtersActionsOfPresenters: true
mainMenu: true
builtinTextBeforeCommands: false
reservedChords: cmd+space ctrl+space ctrl+shift+space cmd+tab shift+cmd+tab ctrl+opt+shift+cmd+tab cmd+h shift+cmd+3 shift+cmd+4
honoursRepeatBehavior: true
focusSystem: true
keyboardScrolling: true
windowScenes: true
applicationHandsBackFirstResponder: false
pasteAndMatchStyle: true
deactivationCancelsKeys: true
findKeys: true
systemBackCommand: nearest
gestureRecognizersFailOnPresses: false
menuBeforeText: false
arrowsCarryNumericPad: false
macMenus: false
focusActivation: return
hostedShortcuts: afterChain
keyPressHandlers: beforeText
observesApplicationCommands: false
commandsBeforePresses: unlessKeyInput
systemMenuBeforePriority: unlessKeyInput
systemMenuKeysBlock: cmd+b cmd+f cmd+i cmd+u
windowMenuKeys: cmd+w cmd+m cmd+q cmd+n cmd+,
closeActionAtScene: true
settingsCommand: true
requiresWindowScene: true
