/// The shipped profiles, embedded in the binary from `Profiles/`.
extension Profile {
    static var shippedTexts: [(name: String, text: String)] {
        [
            ("ios7", PackageResources.ios7_profile), ("ios9", PackageResources.ios9_profile),
            ("ios13", PackageResources.ios13_profile), ("ios134", PackageResources.ios134_profile),
            ("ios15", PackageResources.ios15_profile), ("ios16", PackageResources.ios16_profile),
            ("ios26", PackageResources.ios26_profile), ("ios27", PackageResources.ios27_profile),
            ("catalyst", PackageResources.catalyst_profile),
            ("react-native-dev", PackageResources.react_native_dev_profile),
            ("appkit", PackageResources.appkit_profile), ("gnustep", PackageResources.gnustep_profile),
        ].map { ($0.0, String(decoding: $0.1, as: UTF8.self)) }
    }
}
