# The developer commands of React Native as RCTKeyCommands.m matches them (revision 0c67608, iOS 7 to 12): a press
# without modifiers matches every command for its key, so that a plain r reloads as ⌘R does; all commands that match
# run; they are heard only while there is no first responder. The set they are kept in has no order; here they run in
# the order of their list, so that a replay gives the same lines each time. Declare them as key commands of the
# application. What is not about commands is as in ios9.
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
pressesSeenForMatchedCommands: false
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
plainPressesMatchAnyModifiers: true
performsAllMatches: true
commandsNeedNoFirstResponder: true
