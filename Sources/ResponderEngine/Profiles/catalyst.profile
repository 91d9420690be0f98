# An iPad app as a Mac app. Where nothing is said here, as ios15. Sources: the behaviour specification, section 15 (Mac):
# menus are the desktop's, so that their keys act before text and before the chain's commands; what is disabled is
# dimmed instead of left out; ⌘N, ⌘W and ⌘, come from the system; a priority command takes ⌃A ⌃E ⌃K ⌃P from text.
# Section 12: a chord with ⌃ or ⌘ that a command matches goes to the command past pressesBegan.
# Section 11, T-23: arrow events carry the numericPad flag. Not modelled: presses that the system leaves out or cancels
# (section 11, T-9).
profile: catalyst
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
mainMenuPosition: beforeChain
shiftedWithShift: true
priorityBeforeIME: true
imeBeforeCommandsLegacy: true
modalFilterAffectsCollection: false
repeatDelay: 400ms
repeatInterval: 100ms
commandDotIsEscape: false
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
reservedChords: cmd+space ctrl+space ctrl+shift+space cmd+tab shift+cmd+tab ctrl+opt+shift+cmd+tab shift+cmd+3 shift+cmd+4
honoursRepeatBehavior: false
focusSystem: true
keyboardScrolling: false
windowScenes: true
applicationHandsBackFirstResponder: false
pasteAndMatchStyle: true
deactivationCancelsKeys: true
findKeys: true
systemBackCommand: nearest
gestureRecognizersFailOnPresses: true
menuBeforeText: true
arrowsCarryNumericPad: true
macMenus: true
focusActivation: space
hostedShortcuts: afterChain
keyPressHandlers: beforeText
observesApplicationCommands: false
commandsBeforePresses: always
systemMenuBeforePriority: never
systemMenuKeysBlock: none
windowMenuKeys: none
closeActionAtScene: true
settingsCommand: false
requiresWindowScene: false
windowWithoutSceneGetsKeys: true
menuPickStart: firstResponder
insertionDuplicate: drop
automaticRepeatExceptions: none
overlayDisabled: dim
overlayKeyless: omit
overlayUnplaced: applicationMenu
