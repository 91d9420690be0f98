# The developer commands of React Native as RCTKeyCommands.m matches them (revision 0c67608): they observe the events of
# the keyboard, before UIKit handles them. While there is no first responder, a press without modifiers matches every
# command for its key, so that a plain r reloads as ⌘R does, and all commands that match run; the set they are kept in
# has no order, here they run in the order of their list, so that a replay gives the same lines each time. No keyCommands
# getter is read for them and no responder is asked whether it performs their action; then UIKit handles the event, as in ios9,
# and the counts of a press are those of UIKit's handling. Declare them as key commands of the application.
profile: react-native-dev
stageOrder: commandsFirst
rawPresses: false
repeats: false
overlay: hud
localises: false
mirrors: false
blocksUnperformable: false
passesPerKeyDown: 1
queryOnKeyUp: false
queryOnRepeatTick: true
startWithoutFirstResponder: windowTail
matchAlphaShift: true
keyWindowScope: app
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
filtersActionsOfPresenters: false
mainMenu: false
builtinTextBeforeCommands: false
reservedChords: cmd+space ctrl+space ctrl+shift+space cmd+tab shift+cmd+tab ctrl+opt+shift+cmd+tab cmd+h
honoursRepeatBehavior: false
focusSystem: false
keyboardScrolling: false
windowScenes: false
applicationHandsBackFirstResponder: false
pasteAndMatchStyle: false
deactivationCancelsKeys: true
findKeys: false
systemBackCommand: none
gestureRecognizersFailOnPresses: true
menuBeforeText: false
arrowsCarryNumericPad: false
macMenus: false
focusActivation: return
hostedShortcuts: none
keyPressHandlers: none
observesApplicationCommands: true
commandsBeforePresses: always
systemMenuBeforePriority: never
systemMenuKeysBlock: none
windowMenuKeys: none
closeActionAtScene: false
settingsCommand: false
requiresWindowScene: false
windowWithoutSceneGetsKeys: true
menuPickStart: firstResponder
insertionDuplicate: drop
automaticRepeatExceptions: none
overlayDisabled: omit
overlayKeyless: omit
overlayUnplaced: applicationMenu
