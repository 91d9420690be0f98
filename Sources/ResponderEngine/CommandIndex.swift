final class CandidateList { var entries: [CollectedCommand] = [] }
final class CommandIndex {}
struct CachedList {}
struct CollectedCommand { var command: KeyCommand; var action: Selector; var supplier: Responder?; var isDisabled = false }
struct MainMenuState {}
final class HeldPress {}
