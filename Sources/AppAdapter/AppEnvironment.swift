import CObjCHooks
import KeyModel
import Libc

extension Adapter {
    /// Programs that the app starts get the environment that they have without the adapter.
    static func forgetEnvironment() {
        for name in AdapterVariable.ofOneLaunch { unsetenv(name) }
        let libraries = getenv("LD_PRELOAD").map { String(cString: $0).split(separator: ":") } ?? []
        let others = libraries.filter { !$0.hasSuffix("/libKeyflightAdapter.so") }
        if others.isEmpty { unsetenv("LD_PRELOAD") } else { setenv("LD_PRELOAD", others.joined(separator: ":"), 1) }
        forgetCopiedEnvironment()
    }

    /// GNUstep has copied the environment as it was loaded, for `NSTask`, and copies it anew on request.
    private static func forgetCopiedEnvironment() {
        let messages = Messages()
        let pool = messages.object(keyflight_class_named("NSAutoreleasePool"), named: "new")
        defer { _ = messages.object(pool, named: "release") }
        let type = keyflight_class_named("NSProcessInfo")
        let copy = keyflight_selector_named("initializeWithArguments:count:environment:")
        guard let type, keyflight_responds(type, copy), let environment = symbol("environ")?.load(as: UInt.self) else {
            return
        }
        let info = messages.object(type, named: "processInfo")
        // An app that loads its toolkit late may hold one of them without having retained it.
        for name in ["arguments", "environment", "processName"] {
            _ = messages.object(messages.object(info, named: name), named: "retain")
        }
        let arguments = [UInt(bitPattern: CommandLine.unsafeArgv), UInt(CommandLine.argc), environment]
        keyflight_send_mixed(type, copy, arguments, 3, nil, 0, nil)
    }
}
