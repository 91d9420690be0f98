/// The capture and the scene of `demo`. They are files of `Traces/`, built into the program.
enum DemoData {
    static let captureName = "usb-keyboard-viewer.pcap"
    static var capture: [UInt8] { PackageResources.usb_keyboard_viewer_pcap }

    static let sceneName = "pdf-viewer.scene.yaml"
    static var scene: [UInt8] { PackageResources.pdf_viewer_scene_yaml }

    static let traceName = "viewer.keyflight"
}
