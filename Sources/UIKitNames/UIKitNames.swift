@_exported public import KeyflightEngine

// UIKit's names with their prefix, so that a controller of an app is copied as it is.

public typealias UIResponder = Responder
public typealias UIApplication = Application
public typealias UIWindow = Window
public typealias UIScene = ConnectedScene
public typealias UISceneSession = SceneSession
public typealias UIWindowScene = WindowScene
public typealias UIWindowSceneDelegate = WindowSceneDelegate
public typealias UIView = View
public typealias UIViewController = ViewController
public typealias UINavigationController = NavigationController
public typealias UITabBarController = TabBarController
public typealias UISplitViewController = SplitViewController
public typealias UIPageViewController = PageViewController
public typealias UIAlertController = AlertController
public typealias UIAlertAction = AlertAction
public typealias UIHostingController = HostingController
public typealias UIScrollView = ScrollView
public typealias UITableView = TableView
public typealias UITableViewController = TableViewController
public typealias UICollectionView = CollectionView
public typealias UICollectionViewController = CollectionViewController
public typealias UICollectionViewLayout = CollectionLayout
public typealias UICollectionViewFlowLayout = FlowLayout
public typealias UIInputView = InputView
public typealias UITextField = TextField
public typealias UISearchTextField = TextField
public typealias UITextView = TextView
public typealias UITextFieldDelegate = TextFieldDelegate
public typealias UITextViewDelegate = TextViewDelegate
public typealias UIKeyInput = KeyInput
public typealias WKWebView = WebView
public typealias UIDatePicker = DatePicker
public typealias UIFocusEnvironment = FocusEnvironment
public typealias UIFocusUpdateContext = FocusUpdateContext
public typealias UIFocusAnimationCoordinator = FocusAnimationCoordinator
public typealias UIGestureRecognizer = GestureRecognizer
public typealias UIPress = Press
public typealias UIPressesEvent = PressesEvent
public typealias UIKey = Key
public typealias UIKeyModifierFlags = KeyModifierFlags
public typealias UIKeyboardHIDUsage = KeyUsage
public typealias UIKeyCommand = KeyCommand
public typealias UICommand = Command
public typealias UICommandAlternate = CommandAlternate
public typealias UIMenu = Menu
public typealias UIMenuElement = MenuElement
public typealias UIMenuBuilder = MenuBuilder
public typealias UIMenuSystem = MenuSystem
public typealias UIImage = Image
public typealias UIApplicationDelegate = ApplicationDelegate

/// The application of the engine that is shared.
private struct SharedApplication: @unchecked Sendable {
    @TaskLocal static var current: SharedApplication?
    let application: Application
}

extension KeyboardEngine {
    /// An addition: during `body`, its application is `UIApplication.shared`, for this task alone, or for this thread
    /// outside of one. A process of tests has many applications.
    public func shared<Result>(_ body: () throws -> Result) rethrows -> Result {
        try SharedApplication.$current.withValue(SharedApplication(application: application), operation: body)
    }
}

extension Application {
    public typealias LaunchOptionsKey = String

    public static var shared: Application {
        guard let current = SharedApplication.current else {
            preconditionFailure("UIApplication.shared: press keys inside KeyboardEngine.shared { … }")
        }
        return current.application
    }
}

extension MenuSystem {
    /// Context menus are built each time.
    public func setNeedsRebuild() { if self == .main { Application.shared.setNeedsRebuild() } }
    public func setNeedsRevalidate() { if self == .main { Application.shared.setNeedsRevalidate() } }
}

/// UIKit's names of the usages of HID page 7 (`UIKeyboardHIDUsage`).
extension KeyUsage {
    public static let keyboardA = keyboard(0x04)
    public static let keyboardB = keyboard(0x05)
    public static let keyboardC = keyboard(0x06)
    public static let keyboardD = keyboard(0x07)
    public static let keyboardE = keyboard(0x08)
    public static let keyboardF = keyboard(0x09)
    public static let keyboardG = keyboard(0x0A)
    public static let keyboardH = keyboard(0x0B)
    public static let keyboardI = keyboard(0x0C)
    public static let keyboardJ = keyboard(0x0D)
    public static let keyboardK = keyboard(0x0E)
    public static let keyboardL = keyboard(0x0F)
    public static let keyboardM = keyboard(0x10)
    public static let keyboardN = keyboard(0x11)
    public static let keyboardO = keyboard(0x12)
    public static let keyboardP = keyboard(0x13)
    public static let keyboardQ = keyboard(0x14)
    public static let keyboardR = keyboard(0x15)
    public static let keyboardS = keyboard(0x16)
    public static let keyboardT = keyboard(0x17)
    public static let keyboardU = keyboard(0x18)
    public static let keyboardV = keyboard(0x19)
    public static let keyboardW = keyboard(0x1A)
    public static let keyboardX = keyboard(0x1B)
    public static let keyboardY = keyboard(0x1C)
    public static let keyboardZ = keyboard(0x1D)
    public static let keyboard1 = keyboard(0x1E)
    public static let keyboard2 = keyboard(0x1F)
    public static let keyboard3 = keyboard(0x20)
    public static let keyboard4 = keyboard(0x21)
    public static let keyboard5 = keyboard(0x22)
    public static let keyboard6 = keyboard(0x23)
    public static let keyboard7 = keyboard(0x24)
    public static let keyboard8 = keyboard(0x25)
    public static let keyboard9 = keyboard(0x26)
    public static let keyboard0 = keyboard(0x27)
    public static let keyboardReturnOrEnter = keyboard(0x28)
    public static let keyboardEscape = keyboard(0x29)
    public static let keyboardDeleteOrBackspace = keyboard(0x2A)
    public static let keyboardTab = keyboard(0x2B)
    public static let keyboardSpacebar = keyboard(0x2C)
    public static let keyboardHyphen = keyboard(0x2D)
    public static let keyboardEqualSign = keyboard(0x2E)
    public static let keyboardOpenBracket = keyboard(0x2F)
    public static let keyboardCloseBracket = keyboard(0x30)
    public static let keyboardBackslash = keyboard(0x31)
    public static let keyboardNonUSPound = keyboard(0x32)
    public static let keyboardSemicolon = keyboard(0x33)
    public static let keyboardQuote = keyboard(0x34)
    public static let keyboardGraveAccentAndTilde = keyboard(0x35)
    public static let keyboardComma = keyboard(0x36)
    public static let keyboardPeriod = keyboard(0x37)
    public static let keyboardSlash = keyboard(0x38)
    public static let keyboardCapsLock = keyboard(0x39)
    public static let keyboardF1 = keyboard(0x3A)
    public static let keyboardF2 = keyboard(0x3B)
    public static let keyboardF3 = keyboard(0x3C)
    public static let keyboardF4 = keyboard(0x3D)
    public static let keyboardF5 = keyboard(0x3E)
    public static let keyboardF6 = keyboard(0x3F)
    public static let keyboardF7 = keyboard(0x40)
    public static let keyboardF8 = keyboard(0x41)
    public static let keyboardF9 = keyboard(0x42)
    public static let keyboardF10 = keyboard(0x43)
    public static let keyboardF11 = keyboard(0x44)
    public static let keyboardF12 = keyboard(0x45)
    public static let keyboardPrintScreen = keyboard(0x46)
    public static let keyboardScrollLock = keyboard(0x47)
    public static let keyboardPause = keyboard(0x48)
    public static let keyboardInsert = keyboard(0x49)
    public static let keyboardHome = keyboard(0x4A)
    public static let keyboardPageUp = keyboard(0x4B)
    public static let keyboardDeleteForward = keyboard(0x4C)
    public static let keyboardEnd = keyboard(0x4D)
    public static let keyboardPageDown = keyboard(0x4E)
    public static let keyboardRightArrow = keyboard(0x4F)
    public static let keyboardLeftArrow = keyboard(0x50)
    public static let keyboardDownArrow = keyboard(0x51)
    public static let keyboardUpArrow = keyboard(0x52)
    public static let keypadNumLock = keyboard(0x53)
    public static let keypadSlash = keyboard(0x54)
    public static let keypadAsterisk = keyboard(0x55)
    public static let keypadHyphen = keyboard(0x56)
    public static let keypadPlus = keyboard(0x57)
    public static let keypadEnter = keyboard(0x58)
    public static let keypad1 = keyboard(0x59)
    public static let keypad2 = keyboard(0x5A)
    public static let keypad3 = keyboard(0x5B)
    public static let keypad4 = keyboard(0x5C)
    public static let keypad5 = keyboard(0x5D)
    public static let keypad6 = keyboard(0x5E)
    public static let keypad7 = keyboard(0x5F)
    public static let keypad8 = keyboard(0x60)
    public static let keypad9 = keyboard(0x61)
    public static let keypad0 = keyboard(0x62)
    public static let keypadPeriod = keyboard(0x63)
    public static let keyboardNonUSBackslash = keyboard(0x64)
    public static let keypadEqualSign = keyboard(0x67)
    public static let keyboardF13 = keyboard(0x68)
    public static let keyboardF14 = keyboard(0x69)
    public static let keyboardF15 = keyboard(0x6A)
    public static let keyboardF16 = keyboard(0x6B)
    public static let keyboardF17 = keyboard(0x6C)
    public static let keyboardF18 = keyboard(0x6D)
    public static let keyboardF19 = keyboard(0x6E)
    public static let keyboardF20 = keyboard(0x6F)
    public static let keyboardF21 = keyboard(0x70)
    public static let keyboardF22 = keyboard(0x71)
    public static let keyboardF23 = keyboard(0x72)
    public static let keyboardF24 = keyboard(0x73)
    public static let keyboardLeftControl = keyboard(0xE0)
    public static let keyboardLeftShift = keyboard(0xE1)
    public static let keyboardLeftAlt = keyboard(0xE2)
    public static let keyboardLeftGUI = keyboard(0xE3)
    public static let keyboardRightControl = keyboard(0xE4)
    public static let keyboardRightShift = keyboard(0xE5)
    public static let keyboardRightAlt = keyboard(0xE6)
    public static let keyboardRightGUI = keyboard(0xE7)
}
